const TRANSLATED = '(Translated by Google)'
const ORIGINAL = '(Original)'

export interface SplitTranslation {
  text: string
  translation?: string
  /** Google included no original. */
  translationOnly?: true
}

/**
 * Splits a review with Google's translation: `(Translated by Google) … (Original) …` in either order, or the original
 * followed by the translation without a second marker. The original is the text.
 */
export function splitTranslation(text: string): SplitTranslation {
  const translated = text.indexOf(TRANSLATED)
  if (translated === -1) return { text }
  const original = text.indexOf(ORIGINAL)
  if (original === -1) {
    const before = text.slice(0, translated).trim()
    const after = text.slice(translated + TRANSLATED.length).trim()
    // Without an original, the translation is all there is.
    return before === '' ? { text: after, translationOnly: true } : { text: before, translation: after }
  }
  const [translation, kept] =
    translated < original
      ? [text.slice(translated + TRANSLATED.length, original), text.slice(original + ORIGINAL.length)]
      : [text.slice(translated + TRANSLATED.length), text.slice(original + ORIGINAL.length, translated)]
  return { text: kept.trim(), translation: translation.trim() }
}
