import { AUTHOR_NAME_LENGTH } from '../../contract/limits.ts'

/** The name of an author without one. */
export const ANONYMOUS = 'Anonymous'

const ADDRESS = /[^\s@<>()[\]"',;:]+@[^\s@<>()[\]"',;:]+\.[^\s@<>()[\]"',;:]+/
/** Counts of an author's reviews. */
const COUNT = String.raw`\d{1,3}(?:[.,]?\d{3})*\s?(?:reviews?|Rezension(?:en)?|Bewertungen|avis|reseñas?|opiniones|recension[ei]|avaliações|отзыв(?:ов|а)?|відгук(?:ів|и)?|opini[ie]|recenz[eí]|yorum|ulasan|(?:bài )?đánh giá|รีวิว|리뷰|件のクチコミ|[則则条]評論|条评价|photos?|contributions?)`
const PHONE = /^[+(]*\d[\d\s()/.-]{6,}$/

/** What pages write behind a name: Google's guides and counts, Trustpilot's country, shops' marks. Copies have it in one cell. */
const BEHIND_NAME = new RegExp(
  String.raw`(?:\s*\n\s*|\s+[·|(]?\s*|,\s*)(?:Local Guide(?: Level \d{1,2})?|[A-Z]{2}\s*\n\s*\d{1,5} reviews?|${COUNT}|Verified (?:Buyer|Customer|Purchase|Reviewer))(?=$|[\s·|)])[\s\S]*$`,
)
/** Such a count in a cell of its own: the name was elsewhere on the page. */
const ONLY_COUNT = new RegExp(`^${COUNT}(?: ?·.*)?$`)

/** The name in a cell that a page's words follow. */
function nameAlone(author: string): string {
  if (ONLY_COUNT.test(author)) return ''
  const name = author.replace(BEHIND_NAME, '').trim()
  return name === '' ? author : name
}

/**
 * Removes what must not be published from an author's name: an e-mail address, as in `Ana <ana@mail.example>`. Empty
 * for a name that is only an address or a telephone number. What only a page says behind it goes, too.
 */
export function publicName(author: string): string {
  // The service rejects longer names.
  if (author.length > AUTHOR_NAME_LENGTH) return author
  if (PHONE.test(author)) return ''
  if (!author.includes('@') || !ADDRESS.test(author)) return nameAlone(author)
  return nameAlone(author)
    .replace(new RegExp(ADDRESS, 'g'), '')
    .replace(/mailto:/gi, '')
    .replace(/[<>()[\]"',;:\s|-]+$|^[<>()[\]"',;:\s|-]+/g, '')
    .trim()
}
