import { isNo, isYes } from '../fields/yes-no.ts'
import { normalizeHeader } from '../read/headers.ts'
import type { RawRow } from '../read/table.ts'
import { HEADER_ALIASES } from './aliases.ts'
import { filledCells, isPlausibleColumn, looksLikeDates } from './column-content.ts'
import { asksAnonymity, consentAsked, consentIn } from './consent-columns.ts'
import { isPersonal, isPrivate, isReply } from './excluded-headers.ts'
import { hasName, headerSet } from './header-names.ts'
import { isNameOfPlace } from './place-columns.ts'

const ANONYMOUS = headerSet(`
    anonymous | is anonymous | anonymously | post anonymously | anonymous review | is anonymous review | anonymous flag | reviewer is anonymous | reviewer name is anonymous
    anon | is anon | author anonymous | hide name | hide author | name hidden | anonym | anonyme | anonimo | anónimo | anoniem
    posted anonymous | posted anonymously | is posted anonymously | submitted anonymously | published anonymously | written anonymously | anonymous post
    review anonymous | user anonymous | customer anonymous | display anonymously | show anonymously | display as anonymous | show as anonymous | incognito
    is incognito | 匿名 | 是否匿名 | 匿名フラグ | 익명 | 익명 여부 | анонимно | анонімно | anonimowo | anonimowa`)
/** The opposite; the first is that of Spree and Solidus. "Display name" holds names elsewhere. */
const NAMED = headerSet(`
    show identifier | show name | show full name | show author | show author name | show reviewer name | show customer name | author show name | reviewer show name
    display name | display full name | display author | author display name | publish name | name visible | name public | is name public | name is public | public name`)

/** A column that tells which reviewers ask not to be named. */
export interface AnonymousColumn {
  index: number
  isAsked(cell: string): boolean
}

/** The columns in which reviewers ask not to be named, or answer whether they may be. */
export function anonymousColumns(headers: readonly string[], sample: readonly RawRow[]): AnonymousColumn[] {
  return headers.flatMap((header, index) => {
    const isAsked = anonymityIn(header, filledCells(sample, index))
    return isAsked ? { index, isAsked } : []
  })
}

/** How a column tells that, if it does. */
function anonymityIn(header: string, cells: readonly string[]): AnonymousColumn['isAsked'] | undefined {
  if (hasName(header, ANONYMOUS) && cells.every((cell) => isAnonymous(cell) || isNo(cell) || /^public$/i.test(cell)))
    return isAnonymous
  if (cells.length === 0) return undefined
  if (hasName(header, NAMED) && cells.every((cell) => isYes(cell) || isNo(cell))) return (cell) => !isYes(cell.trim())
  const asked = consentAsked(header)
  if (asked === undefined || asked === 'other' || !cells.every((cell) => consentIn(cell) !== undefined))
    return undefined
  // No answer to "May we show your name?" counts as a no.
  if (asked === 'name') return (cell) => consentIn(cell.trim()) !== 'shown' || asksAnonymity(cell)
  return cells.some(asksAnonymity) ? asksAnonymity : undefined
}

/** Whether a cell of such a column asks for anonymity. */
function isAnonymous(cell: string): boolean {
  const said = cell.trim()
  return isYes(said) || /^anonym\p{L}*$/iu.test(said)
}

const LIKE_AUTHOR =
  /name|nombre|nome$|naam|author|auteur|autor|review[ei]r|user|guest|gast|travell?er|customer|kunde|client|buyer|shopper|diner|patient|member|visitor|tenant|student|writer/
/** Normalized separately, because the pattern is matched against normalized headers. */
const FOREIGN_AUTHORS = (
  'имя|клиент|покупат|пользоват|автор|작성자|이름|닉네임|名前|姓名|投稿者|ユーザー|レビュワー|レビュアー|昵称|暱稱|用户|用戶|utilisateur|pseudo|usuari|utente|gebruiker|' +
  'benutzer|użytkownik|uživatel|kullanıcı|müşteri|nama|penulis|tên|ชื่อ|评论人|评价人|評價人|顾客'
)
  .split('|')
  .map(normalizeHeader)
const OF_SOMETHING_ELSE =
  /^res(?:name|model)$|product|item|hotel|propert|listing|venue|restaurant|place|location|branch|store|shop|site|business|company|brand|app|title|file|page|domain|city|country|type|count|number|total|id$|^id(?=user|client|customer|usu|util|kunde|guest|member|pelanggan)|url|link|photo|image|since|level|status|device|version|platform|job|position|course|source|agent|assigned|language|segment|produ[kt]|tempat|toko|商品|店|施設/
/** `items[0].name` names one of the things that a review is about. */
const IN_LIST = /\[\d+\]/
/** Columns with a greater average length hold sentences. */
const LONGEST_NAME = 40

/** The columns named like an author, whatever their cells. */
export function authorNames(headers: readonly string[]): number[] {
  const names = HEADER_ALIASES.get('author') ?? new Set()
  return headers.flatMap((header, index) => (hasName(header, names) ? [index] : [])).slice(0, MOST_AUTHORS)
}

const TURKISH = headerSet('yorum | yorumlar | metin | mesaj | puan | yıldız | tarih')

/** Whether a column named like an author is none of a place, nor an advertisement: "ad" is a name beside Turkish headings. */
export function isNameOfPerson(headers: readonly string[], sample: readonly RawRow[], index: number): boolean {
  const isAd = headers[index]?.toLowerCase() === 'ad' && !headers.some((other) => TURKISH.has(normalizeHeader(other)))
  return !isAd && !isNameOfPlace(headers, sample, index)
}

const MOST_AUTHORS = 3

/** Candidates for the author, without a name in the first (`"customer": null`) beginning with those that differ from row to row. */
export function filledFirst(candidates: readonly number[], sample: readonly RawRow[]): number[] {
  const [first = -1, ...others] = candidates
  if (filledCells(sample, first).length > 0) return [...candidates]
  return [...others.filter((index) => isVaried(filledCells(sample, index))), ...candidates]
}

/** The name of a business is not. */
function isVaried(cells: readonly string[]): boolean {
  return new Set(cells).size > cells.length / 2
}

/** Odoo writes the customer's name under `partner_id`, beside what was rated. */
function isOdooCustomer(name: string, headers: readonly string[]): boolean {
  return name === 'partnerid' && headers.some((header) => /^res_(?:name|model)$/.test(header))
}

/** A column that probably holds author names, for a file in which none was recognized. */
export function likelyAuthor(
  headers: readonly string[],
  sample: readonly RawRow[],
  isFree: (index: number) => boolean,
): number | undefined {
  return [...headers.keys()].find((at) => {
    const header = headers[at] ?? ''
    const name = normalizeHeader(header)
    const isLike = LIKE_AUTHOR.test(name) || FOREIGN_AUTHORS.some((word) => name.includes(word))
    const isPerson = (isLike && !OF_SOMETHING_ELSE.test(name)) || isOdooCustomer(name, headers)
    if (!isFree(at) || !isPerson || IN_LIST.test(header)) return false
    if (isReply(header) || isPrivate(header) || isPersonal(header)) return false
    const cells = filledCells(sample, at)
    const isShort = cells.reduce((sum, cell) => sum + cell.length, 0) <= cells.length * LONGEST_NAME
    return isVaried(cells) && isShort && !looksLikeDates(sample, at) && isPlausibleColumn('author', sample, at)
  })
}
