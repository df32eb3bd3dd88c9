import { normalizeHeader } from '../read/headers.ts'
import { ALIAS_WORDS } from './aliases.ts'

/** The fields whose columns are also known by headings that are put together of the words of their names. */
export const COMPOUND_FIELDS = ['date', 'rating', 'text'] as const
export type CompoundField = (typeof COMPOUND_FIELDS)[number]

const words = (list: string) => list.split(/\s+/).map(normalizeHeader)

/** Words that join others in the languages of the headings. */
const JOINING = new Set(words('of the a de del la el da do das dos di della du des d der van von'))
/** Words that such headings have beside those of the known names. */
const FURTHER: Record<CompoundField, string[]> = {
  date: words(
    'and place country dates post posting posts parsed tstamp ts utc iso publish comentario opinion avis ulasan yorum komentarz testimonial',
  ),
  rating: words('nb nbre geral general generale globale experience experiencia out bintang'),
  text: words('post posted teks full original'),
}
/** The place's last review, what was changed or answered, and what was bought are no review's own. */
const MISLEADING = new Set(
  words('last first update updated updates response answer description completed total number'),
)
/** `out of 5`, `/ 5` behind a rating. */
const OUT_OF = /(?:\bout of|\/|\bsur|\bvon|\bde)\s*\d{1,3}$/i
/** `_ko_KR` behind a text that stands in several languages. */
const LOCALE = /[_.-][a-z]{2}(?:[_-][A-Z]{2})?$/

/**
 * Whether a heading is put together of words that a field's names are made of, such as `original_review`, `data_avaliacao` or
 * `text of the review`: less certain than a known name.
 */
export function isCompoundName(field: CompoundField, header: string): boolean {
  const plain =
    field === 'rating'
      ? header.replace(/[_-]+/g, ' ').replace(OUT_OF, '')
      : field === 'text'
        ? header.replace(LOCALE, '')
        : header
  const parts = plain
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .map(normalizeHeader)
    .filter((part) => part !== '' && !JOINING.has(part))
  // "5 stars" is a count of them.
  if (field === 'rating' && /\d/.test(plain)) return false
  const { alone, any } = ALIAS_WORDS[field]
  return (
    parts.length <= MOST_WORDS &&
    parts.some((part) => alone.has(part)) &&
    parts.every((part) => !MISLEADING.has(part) && (any.has(part) || FURTHER[field].includes(part)))
  )
}

const MOST_WORDS = 6
