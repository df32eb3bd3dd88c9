const darkSystem = matchMedia('(prefers-color-scheme: dark)')

/** The colours of the reader's system. */
export function systemTheme(): string {
  return darkSystem.matches ? 'dark' : 'light'
}

/**
 * Whether light text stands on a dark page: `dark` or `light`. Colours are painted onto a pixel, so that every way to
 * write one is understood, and compared by their luminance. Where a picture lies behind the block, the text decides.
 */
export function pageTheme(host: HTMLElement): string {
  try {
    const pen = document
      .createElement('canvas')
      .getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D
    const paint = (colour: string, how: GlobalCompositeOperation) => {
      pen.globalCompositeOperation = how
      pen.fillStyle = colour
      pen.fillRect(0, 0, 1, 1)
      const [red = 0, green = 0, blue = 0, alpha = 0] = pen.getImageData(0, 0, 1, 1).data
      // Rec. 709 luma: near enough to compare two.
      return [red * 0.2126 + green * 0.7152 + blue * 0.0722, alpha] as const
    }
    const { color, colorScheme } = getComputedStyle(host)
    const [text] = paint(color, 'copy')
    paint('#0000', 'copy')
    for (let each: Node | null = host; each; each = each.parentNode ?? (each as ShadowRoot).host) {
      if (!(each instanceof Element)) continue
      const { backgroundColor, backgroundImage } = getComputedStyle(each)
      if (paint(backgroundColor, UNDER)[1] > 254) break
      if (backgroundImage !== 'none') return text > 150 ? 'dark' : 'light'
    }
    const isDark = /dark/.test(colorScheme) && (!/light/.test(colorScheme) || darkSystem.matches)
    return paint(isDark ? '#000' : '#fff', UNDER)[0] < text ? 'dark' : 'light'
  } catch {
    return 'light'
  }
}

/** Each layer below those that are there. */
const UNDER = 'destination-over'

/** Calls back when the page may have other colours: by the reader's system, or by an attribute of its root or its body. */
export function whenThemeChanges(back: () => void): void {
  darkSystem.addEventListener('change', back)
  // Once more when a transition of the page is over.
  const observer = new MutationObserver(() => [back(), setTimeout(back, 700)])
  for (const each of document.querySelectorAll('html, body')) observer.observe(each, { attributes: true })
}
