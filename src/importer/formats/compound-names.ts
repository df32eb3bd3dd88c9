import { normalizeHeader } from '../read/headers.ts'
import { ALIAS_WORDS } from './aliases.ts'

/** The fields whose columns are also recognized by headers composed of the words of known names. */
export const COMPOUND_FIELDS = ['date', 'rating', 'text'] as const
export type CompoundField = (typeof COMPOUND_FIELDS)[number]

const words = (list: string) => list.split(/\s+/).map(normalizeHeader)

/** Function words in the languages of the headers. */
const JOINING = new Set(words('of the a de del la el da do das dos di della du des d der van von'))
/** Further words that such headers contain. */
const FURTHER: Record<CompoundField, string[]> = {
  date: words(
    'and place country dates post posting posts parsed tstamp ts utc iso publish comentario opinion avis ulasan yorum komentarz testimonial',
  ),
  rating: words('nb nbre geral general generale globale experience experiencia out bintang'),
  text: words(
    'post posted teks full original complet complete completo completa vollständige volledige pełna полный повний lengkap',
  ),
}
/** Words that show that a column is about something else: the place's latest review, updates, replies or purchases. */
const MISLEADING = new Set(
  words('last first update updated updates response answer description completed total number'),
)
/** `out of 5` or `/ 5` after a rating. */
const OUT_OF = /(?:\bout of|\/|\bsur|\bvon|\bde)\s*\d{1,3}$/i
/** `_ko_KR` after a text that exists in several languages. */
const LOCALE = /[_.-][a-z]{2}(?:[_-][A-Z]{2})?$/

/**
 * Whether a header is composed of words from a field's names, such as `original_review`, `data_avaliacao` or `text of
 * the review`: weaker evidence than a known name.
 */
export function isCompoundName(field: CompoundField, header: string): boolean {
  const plain =
    field === 'rating'
      ? header.replace(/[_-]+/g, ' ').replace(OUT_OF, '')
      : field === 'text'
        ? header.replace(LOCALE, '')
        : header
  const parts = wordsOfHeader(plain).filter((part) => !JOINING.has(part))
  // "5 stars" is a count.
  if (field === 'rating' && /\d/.test(plain)) return false
  const { alone, any } = ALIAS_WORDS[field]
  return (
    parts.length <= MOST_WORDS &&
    parts.some((part) => alone.has(part)) &&
    parts.every((part) => !MISLEADING.has(part) && (any.has(part) || FURTHER[field].includes(part)))
  )
}

/** The normalized words of a header, also of `camelCase`. */
export function wordsOfHeader(header: string): string[] {
  const words = header.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').split(/[^\p{L}\p{M}\p{N}]+/u)
  return words.map(normalizeHeader).filter((word) => word !== '')
}

const MOST_WORDS = 6
