const TRANSLATED = '(Translated by Google)'
const ORIGINAL = '(Original)'

export interface SplitTranslation {
  text: string
  translation?: string
  /** Google wrote no original beside its translation. */
  translationOnly?: true
}

/**
 * Opens Google's envelope around a translated review: `(Translated by Google) … (Original) …`, in either order, or the
 * original first and the translation behind it without a second mark. The original is the text.
 */
export function splitTranslation(text: string): SplitTranslation {
  const translated = text.indexOf(TRANSLATED)
  if (translated === -1) return { text }
  const original = text.indexOf(ORIGINAL)
  if (original === -1) {
    const before = text.slice(0, translated).trim()
    const after = text.slice(translated + TRANSLATED.length).trim()
    // Without the original, what Google wrote is all there is.
    return before === '' ? { text: after, translationOnly: true } : { text: before, translation: after }
  }
  const [translation, kept] =
    translated < original
      ? [text.slice(translated + TRANSLATED.length, original), text.slice(original + ORIGINAL.length)]
      : [text.slice(translated + TRANSLATED.length), text.slice(original + ORIGINAL.length, translated)]
  return { text: kept.trim(), translation: translation.trim() }
}
