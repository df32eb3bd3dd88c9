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

/** The same in further languages, at the beginning of a line: what stands in brackets has a stem of these. */
const TRANSLATED_BY_GOOGLE = new RegExp(
  `^[(（](?=[^()（）\\n]{0,40}Google)[^()（）\\n]{0,40}(?:${
    'перев|перек|tłumacz|překl|prelo|fordít|tradus|çevir|çevril|översat|oversat|oversett|käänt|翻訳|翻译|翻譯|번역|แปล|dịch|ترجم|תרגו|თარგმნ|' +
    'terjemah|превед|prevod|preved|μετάφρ|μεταφρ|išvers|tulko|tõlk|traduï'
  })[^()（）\\n]{0,40}[)）]`,
  'imu',
)
const ORIGINAL_TEXT = new RegExp(
  `^[(（][^()（）\\n]{0,20}(?:${
    'orig|orygin|oryg|ориг|eredeti|orijinal|ursprung|alkuper|原文|原始|원문|원본|ต้นฉบับ|bản gốc|gốc|الأصل|النص الأصلي|מקור|המקור|ორიგინ|asli|teks asli|πρωτότ|αρχικ|' +
    'изворн|izvirn|izvorn|algne|originaal'
  })[^()（）\\n]{0,30}[)）]`,
  'imu',
)

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
  if (!text.includes('Google') || !/[(（]/.test(text)) return { text, idText: text }
  const english = split(text, find(text, TRANSLATED.slice(0, 1)), find(text, ORIGINAL.slice(0, 1)))
  const translated = find(text, TRANSLATED) ?? match(text, TRANSLATED_BY_GOOGLE)
  const original = find(text, ORIGINAL) ?? match(text, ORIGINAL_TEXT)
  return { ...split(text, translated, original), idText: english.text }
}

interface Marker {
  at: number
  end: number
}

function split(text: string, translated: Marker | undefined, original: Marker | undefined): SplitTranslation {
  if (!translated) return { text }
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

function find(text: string, markers: readonly string[]): Marker | undefined {
  for (const marker of markers) {
    const at = text.indexOf(marker)
    if (at !== -1) return { at, end: at + marker.length }
  }
  return undefined
}

function match(text: string, pattern: RegExp): Marker | undefined {
  const found = pattern.exec(text)
  return found ? { at: found.index, end: found.index + found[0].length } : undefined
}
