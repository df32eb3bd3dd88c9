import { element } from './element.ts'

export const darkSystem = matchMedia('(prefers-color-scheme: dark)')

/** Whether cards are dark: by the choice that is given (`auto`: the reader's system), or those that suit the page as it is now. */
export function isDark(theme: string | undefined, host: Element): boolean {
  return theme === 'auto' ? darkSystem.matches : theme ? theme === 'dark' : isPageDark(host)
}

/**
 * Whether light text stands on a dark page. Colours are painted onto a pixel, so that every way to write one is
 * understood, and compared by their luminance. Where a picture lies behind the block, or nothing but the browser's own
 * canvas, which a page's `color-scheme` or `<meta name="color-scheme">` darkens, the text decides.
 */
function isPageDark(host: Element): boolean {
  try {
    const canvas = element('canvas') as HTMLCanvasElement
    const pen = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D
    const paint = (colour?: string) => {
      // Without one: black.
      pen.fillStyle = colour as string
      pen.fillRect(0, 0, 1, 1)
      return pen.getImageData(0, 0, 1, 1).data as unknown as [red: number, green: number, blue: number, alpha: number]
    }
    // Near enough to the luma of Rec. 709 to compare two.
    const luma = ([red, green, blue]: number[]) => 2 * (red as number) + 7 * (green as number) + (blue as number)
    const { color } = getComputedStyle(host)
    // A browser that hides from pages what it is lets them read noise alone: light text stands on a dark page there.
    if (paint()[0]) return (color.match(/\d+/) as never) > 150
    const text = luma(paint(color))
    pen.clearRect(0, 0, 1, 1)
    // From here on each layer below those that are there.
    pen.globalCompositeOperation = 'destination-over'
    for (let each: Element | null = host; each; each = each.parentElement ?? (each.getRootNode() as ShadowRoot).host) {
      const { backgroundColor, backgroundImage } = getComputedStyle(each)
      const below = paint(backgroundColor)
      if (below[3] > 254) return luma(below) < text
      if (backgroundImage !== 'none') break
    }
    return text > 1800
  } catch {
    return false
  }
}
