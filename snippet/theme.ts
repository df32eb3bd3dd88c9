import { element } from './element.ts'
import type { Options } from './settings.ts'

export const darkSystem = matchMedia('(prefers-color-scheme: dark)')
/** Kept, since to make one takes ten times as long as to look. */
const canvas = element('canvas') as HTMLCanvasElement

/** The colours that are asked for (`auto`: the reader's system), or those that suit the page as it is now. */
export function setTheme(frame: HTMLElement, { theme }: Options): void {
  const { style } = frame
  style.color = ''
  const isDark = theme === 'auto' ? darkSystem.matches : theme ? theme === 'dark' : isPageDark(frame, style)
  frame.className = isDark ? 'dark' : 'light'
}

/**
 * Whether light text stands on a dark page. Where the text that the frame inherits can hardly be told from what is behind
 * it (a section that colours its paragraphs one by one), the background decides, and heading and note take the cards' ink. Colours are painted onto a pixel, so that every way to write one is
 * understood, and compared by their luminance. Where a picture lies behind the block, or nothing but the browser's own
 * canvas, which a page's `color-scheme` or `<meta name="color-scheme">` darkens, the text decides.
 */
function isPageDark(frame: Element, style: CSSStyleDeclaration): boolean {
  try {
    const pen = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D
    // As new
    canvas.width = 1
    const paint = (colour?: string) => {
      // Without one: black.
      pen.fillStyle = colour as string
      pen.fillRect(0, 0, 1, 1)
      return pen.getImageData(0, 0, 1, 1).data as unknown as [red: number, green: number, blue: number, alpha: number]
    }
    // Near enough to the luma of Rec. 709 to compare two.
    const luma = ([red, green, blue]: number[]) => 2 * (red as number) + 7 * (green as number) + (blue as number)
    const { color } = getComputedStyle(frame)
    // A browser that hides from pages what it is lets them read noise alone: light text stands on a dark page there.
    if (luma(paint())) return (color.match(/\d+/) as never) > 150
    const text = luma(paint(color))
    canvas.width = 1
    // From here on each layer below those that are there.
    pen.globalCompositeOperation = 'destination-over'
    for (let each: Element | null = frame; each; each = each.parentElement ?? (each.getRootNode() as ShadowRoot).host) {
      const { backgroundColor, backgroundImage } = getComputedStyle(each)
      const below = paint(backgroundColor)
      if (below[3] > 254) {
        const behind = luma(below)
        if (Math.abs(behind - text) > 700) return behind < text
        style.color = 'var(--ink)'
        return behind < 1275
      }
      if (backgroundImage !== 'none') break
    }
    return text > 1800
  } catch {
    return false
  }
}
