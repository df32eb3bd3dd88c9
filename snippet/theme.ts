import { element } from './element.ts'
import type { Options } from './settings.ts'

export const darkSystem = matchMedia('(prefers-color-scheme:dark)')
/** Cached, since creating one takes ten times as long as reading a pixel. */
const canvas = element('canvas') as HTMLCanvasElement

/** Applies the requested colours (`auto`: the reader's system), or those that suit the page now. */
export function setTheme(frame: HTMLElement, { theme }: Options): void {
  frame.style.color = ''
  const isDark = theme === 'auto' ? darkSystem.matches : theme ? theme === 'dark' : isPageDark(frame, frame.style)
  frame.className = isDark ? 'dark' : ''
}

/**
 * Whether light text is on a dark page. If the inherited text is hard to distinguish from its background (a section that
 * colours its paragraphs one by one), the background decides, and heading and note use the cards' text colour. Colours are
 * painted onto a pixel, so that every notation is understood, and compared by luminance. If the block is on a picture, on a
 * layer that is painted beside it, or only on the browser's own canvas, which `color-scheme` or `<meta name="color-scheme">` darkens, the text decides.
 */
function isPageDark(frame: Element, style: CSSStyleDeclaration): boolean | undefined {
  try {
    const pen = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D
    // Resets the canvas.
    canvas.width = 1
    const paint = (colour?: string) => {
      // Black without one.
      pen.fillStyle = colour as string
      pen.fillRect(0, 0, 1, 1)
      return pen.getImageData(0, 0, 1, 1).data as unknown as [red: number, green: number, blue: number, alpha: number]
    }
    // Close enough to the luma of Rec. 709 for comparison.
    const luma = ([red, green, blue]: number[]) => 2 * (red as number) + 7 * (green as number) + (blue as number)
    const { color } = getComputedStyle(frame)
    // A browser that resists fingerprinting returns only noise: then light text means a dark page.
    if (luma(paint())) return (color.match(/\d+/) as never) > 150
    const text = luma(paint(color))
    canvas.width = 1
    // From here on each layer goes below the existing ones.
    pen.globalCompositeOperation = 'destination-over'
    for (let each: Element | null = frame; each; each = each.parentElement ?? (each.parentNode as ShadowRoot).host) {
      const { backgroundColor, backgroundImage, color: around } = getComputedStyle(each)
      const below = paint(backgroundColor)
      if (below[3] > 254) {
        const behind = luma(below)
        if (Math.abs(behind - text) > 700) return behind < text
        // Another colour than there: something else is between, such as the overlay of a picture.
        if (around !== color) break
        style.color = 'var(--i)'
        return behind < 1275
      }
      if (backgroundImage !== 'none') break
    }
    return text > 1800
  } catch {}
}
