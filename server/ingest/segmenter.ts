type Granularity = 'sentence' | 'word'

const segmenters = new Map<string, Intl.Segmenter>()

/**
 * A segmenter for a BCP 47 tag. Only the primary language counts, so that the map stays small whatever tags arrive; a
 * tag that names no known language gets the rules common to all (never the machine's own locale, which would make the
 * excerpts differ between machines).
 */
function segmenter(language: string | null | undefined, granularity: Granularity): Intl.Segmenter {
  const primary = /^[a-z]{2,3}(?=-|$)/i.exec(language ?? '')?.[0].toLowerCase() ?? 'en'
  const locale = Intl.Segmenter.supportedLocalesOf([primary]).length > 0 ? primary : 'en'
  const key = `${granularity}/${locale}`
  let found = segmenters.get(key)
  if (!found) {
    found = new Intl.Segmenter(locale, { granularity })
    segmenters.set(key, found)
  }
  return found
}

/** Ends of the sentences inside `text[from, to)`, in order, without `to` itself. */
export function* sentencesIn(
  text: string,
  from: number,
  to: number,
  language: string | null | undefined,
): Generator<number> {
  for (const { index } of segmenter(language, 'sentence').segment(text.slice(from, to))) {
    if (index > 0) yield from + index
  }
}

/** Word boundaries inside `text[from, to)`, by dictionary for scripts written without spaces. */
export function* wordsIn(
  text: string,
  from: number,
  to: number,
  language: string | null | undefined,
): Generator<number> {
  for (const { index } of segmenter(language, 'word').segment(text.slice(from, to))) {
    if (index > 0) yield from + index
  }
}
