/** Google writes them in the language of the account, or of the page that was copied. English comes first. */
const TRANSLATED = [
  '(Translated by Google)',
  '(Übersetzt von Google)',
  '(Traduit par Google)',
  '(Traducido por Google)',
  '(Traduzione di Google)',
  '(Tradotto da Google)',
  '(Vertaald door Google)',
  '(Traduzido pelo Google)',
]
const ORIGINAL = [
  '(Original)',
  "(Avis d'origine)",
  '(Avis d’origine)',
  '(Texto original)',
  '(Originale)',
  '(Origineel)',
]

export interface SplitTranslation {
  text: string
  translation?: string
  /** Google included no original. */
  translationOnly?: true
}

export interface OpenedText extends SplitTranslation {
  /** What a generated id is made of: versions that knew only the English words stored reviews under such ids. */
  idText: string
}

/**
 * Splits a review with Google's translation: `(Translated by Google) … (Original) …` in either order, or the original
 * followed by the translation without a second marker. The original is the text.
 */
export function splitTranslation(text: string): OpenedText {
  if (!text.includes('Google)')) return { text, idText: text }
  const english = split(text, TRANSLATED.slice(0, 1), ORIGINAL.slice(0, 1))
  return { ...split(text, TRANSLATED, ORIGINAL), idText: english.text }
}

function split(text: string, translatedBy: readonly string[], originalBy: readonly string[]): SplitTranslation {
  const translated = find(text, translatedBy)
  if (!translated) return { text }
  const original = find(text, originalBy)
  if (!original) {
    const before = text.slice(0, translated.at).trim()
    const after = text.slice(translated.end).trim()
    // Without an original, the translation is all there is.
    return before === '' ? { text: after, translationOnly: true } : { text: before, translation: after }
  }
  const [translation, kept] =
    translated.at < original.at
      ? [text.slice(translated.end, original.at), text.slice(original.end)]
      : [text.slice(translated.end), text.slice(original.end, translated.at)]
  return { text: kept.trim(), translation: translation.trim() }
}

function find(text: string, markers: readonly string[]): { at: number; end: number } | undefined {
  for (const marker of markers) {
    const at = text.indexOf(marker)
    if (at !== -1) return { at, end: at + marker.length }
  }
  return undefined
}
