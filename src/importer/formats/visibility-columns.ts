import { parseVisibility, type Visibility } from '../fields/visibility.ts'
import { isTicked, isUnticked } from '../fields/yes-no.ts'
import { normalizeHeader } from '../read/headers.ts'
import type { RawRow } from '../read/table.ts'
import { filledCells, isDate } from './column-content.ts'
import { consentAsked, consentIn } from './consent-columns.ts'
import type { ImportFormat } from './format.ts'
import { hasName, headerNames } from './header-names.ts'
import { publishingTime, visibilityToday } from './publishing-time.ts'
import { areStages, isNameOfStages, legendIn } from './stage-columns.ts'
import { CONSENT, FILLED, INVERSE, LOOSE, PUBLISHED, STRICT } from './visibility-names.ts'

/**
 * How a column expresses whether a review may be shown: by a word (`Published`, `pending`), a decision beside which "new" means
 * that none was made (`accepted`), a flag (yes or no), an
 * inverse flag (`deleted`: yes), by being filled (`deleted_at`) or not (`published_at`), by the time from or until which it may,
 * or by the answer to "May we publish this?".
 */
export type VisibilityKind =
  | 'word'
  | 'decision'
  | 'flag'
  | 'inverse'
  | 'filled'
  | 'published'
  | 'from'
  | 'until'
  | 'consent'

/** Longer forms: "Public display status", "Show on website", "Approved to publish", "Use as testimonial". */
const SHOWING =
  /^(?:is|ok|cleared)?(?:public(?:ly)?|display(?:ed)?|shown?|visible|publish(?:ed)?|approved|use|post(?:ed)?|share)(?:public(?:ly)?|display|for|on|to|the|web|as|in|our)*(?:site|homepage|public(?:ly|ation)?|publish(?:ing)?|display|status|flag|visibility|marketing|testimonials?|quotes?)$/
/** The same elsewhere: "Auf der Website zeigen", "Afficher sur le site", "Tonen op website". */
const SHOWING_ABROAD =
  /^(?:(?:auf|der|unserer|im)*(?:website|webseite|homepage|internet)(?:zeigen|anzeigen|veroffentlichen)|(?:publier|afficher|montrer|publicar|mostrar|exibir|pubblicare?|mostrare?|publiceren|tonen|plaatsen)(?:sur|le|en|la|el|sul|il|op|de|no|na)*(?:siteweb|site|web|sito|website|internet|pagina))$/
/** "Keep my feedback private", "Please do not share this review". */
const KEPT_BACK =
  /^(?:please)?(?:(?:i(?:want|wouldlike|prefer))?(?:to)?(?:keep)?(?:my|the|this)?(?:review|feedback|comments?|testimonial|responses?|answers?)?(?:to)?(?:be|remain|stay|keep)?(?:private|confidential)|(?:donot|dont)(?:publish|share|quote|use|display|show|post)(?:my|the|this)?(?:review|feedback|comments?|testimonial|quote|responses?|answers?)?(?:publicly|online|on(?:y?our)?(?:web)?site)?)$/
/** A program's name for the date, which a list of drafts (Strapi, `?status=draft`) has in no row. */
const UNPUBLISHED = 'publishedat'
/** "Feedback public", "Review deleted": the flag that follows the word for the reviewed text. */
const FLAG_OF_REVIEW =
  /^(?:review|feedback|comment|testimonial)(?:is|was)?(public|published|approved|visible|hidden|deleted|removed|archived|rejected|spam|private)$/

/** The kind of visibility column that a header names, and whether it may be about something else. */
function kindOf(header: string, cells: readonly string[]): { kind: VisibilityKind; isLoose: boolean } | undefined {
  const isDated = cells.length > 0 && cells.every(isDateOrNone)
  for (const full of headerNames(header)) {
    const name = FLAG_OF_REVIEW.exec(full)?.[1] ?? full
    // "Published" is a date in one file and a flag in another; an empty date means a draft.
    if (isDated && cells.some(isDate)) {
      const kind = PUBLISHED.has(name) ? 'published' : FILLED.has(name) ? 'filled' : undefined
      if (kind) return { kind, isLoose: false }
      continue
    }
    if (cells.length === 0 && name === UNPUBLISHED) return { kind: 'published', isLoose: false }
    if (LOOSE.has(name)) return { kind: 'word', isLoose: true }
    if (STRICT.has(name) || SHOWING.test(name) || SHOWING_ABROAD.test(name)) return { kind: 'word', isLoose: false }
    if (CONSENT.has(name)) return { kind: 'consent', isLoose: false }
    if (INVERSE.has(name) || KEPT_BACK.test(name)) return { kind: 'inverse', isLoose: false }
    if (FILLED.has(name)) return { kind: 'filled', isLoose: false }
  }
  return consentAsked(header) === 'review' ? { kind: 'consent', isLoose: false } : undefined
}

/** A column that determines whether a row may be shown. */
export interface VisibilityColumn {
  index: number
  kind: VisibilityKind
  /** What an unknown word means: hidden when the column can be about nothing else. */
  unknown: 'hidden' | 'shown'
  /** What its heading says that its numbers mean. */
  legend?: ReadonlyMap<string, Visibility> | undefined
  /** Its numbers mean what they mean in most programs. */
  isGuessed?: boolean
}

/** The status column that a format or the user names. */
export function statusColumn(header: string, index: number, format: ImportFormat): VisibilityColumn {
  const isOfFormat = format.columns.status !== undefined
  return { index, kind: kindOf(header, [])?.kind ?? 'word', unknown: isOfFormat ? 'hidden' : 'shown' }
}

/** Whether a header names the publication date, which drafts lack. */
export function isPublicationDate(header: string): boolean {
  return hasName(header, PUBLISHED)
}

function isDateOrNone(cell: string): boolean {
  return NO_DATE.test(cell) || isDate(cell)
}

export interface VisibilityColumns {
  taken: VisibilityColumn[]
  /** Columns with such a name whose words have no known meaning. */
  unrecognized: number[]
}

/**
 * All columns whose names make them visibility columns; a row is shown unless one of them says otherwise.
 *
 * @param isCertain accepts only columns that cannot be about anything else
 * @param text the header of the text: where it is `vote_comment`, `vote_published` is about the same
 */
export function visibilityColumns(
  headers: readonly string[],
  sample: readonly RawRow[],
  isFree: (index: number) => boolean,
  isCertain: boolean,
  text = '',
): VisibilityColumns {
  const found: VisibilityColumns = { taken: [], unrecognized: [] }
  const hasWords = (header: string, at: number) => {
    const cells = filledCells(sample, at)
    return kindOf(header, cells) !== undefined && cells.length > 0 && cells.every((cell) => parseVisibility(cell))
  }
  const [prefix = ''] = OF_PERSON_OR_GOODS.test(text) ? [] : (TABLE_PREFIX.exec(text) ?? [])
  for (const [index, header] of headers.entries()) {
    const cells = filledCells(sample, index)
    const name = prefix !== '' && header.startsWith(prefix) ? header.slice(prefix.length) : undefined
    const time = publishingTime(header, headers)
    const meaning =
      (time && ({ kind: time, isLoose: false } as const)) ??
      kindOf(header, cells) ??
      (name && kindOf(name, cells)) ??
      (isPublicOrPrivate(cells) ? PUBLIC_OR_PRIVATE : undefined)
    // Craft's time from which a post is public is its day as well.
    if (!meaning || (!isFree(index) && !time) || (isCertain && meaning.isLoose)) continue
    if (meaning.isLoose && areStates(cells)) continue
    const { kind, isLoose } = meaning
    // Nobody was asked. Gravity Forms keeps the text and the description beside the answer, often without any.
    if (cells.length === 0 && (kind === 'consent' || /\((?:text|description)\)$/i.test(header))) continue
    if (isOfAnswer(header, text, headers)) continue
    const isFlag = kind === 'word' && !isLoose && cells.every((cell) => isTicked(cell) || isUnticked(cell))
    const isDecision = kind === 'word' && cells.some((cell) => /^(?:accepted|approved|rejected)$/i.test(cell))
    const read = isFlag ? 'flag' : isDecision ? 'decision' : kind
    const stages = areStages(cells)
    const legend = stages ? legendIn(header) : undefined
    if (stages && !legend && headers.some((other, at) => isNameOfStages(other, header) && hasWords(other, at))) continue
    const known = cells.filter((cell) => (legend?.get(cell) ?? visibilityIn(read, cell)) !== undefined)
    const unknown = isLoose && !stages ? 'shown' : 'hidden'
    if (known.length >= cells.length / 2)
      found.taken.push({ index, kind: read, unknown, legend, isGuessed: stages && !legend })
    else if (cells.every((cell) => cell.length <= 40) && !cells.every((cell) => SHORT_NAME.test(cell)))
      found.unrecognized.push(index)
  }
  return found
}

/** Whether a flag is about an answer beside the review: Yotpo's "Comment Public", beside "Review Content" and "Comment Content". */
function isOfAnswer(header: string, text: string, headers: readonly string[]): boolean {
  const [, what] = /^(feedback|comment)(?:is|was)?[a-z]+$/.exec(normalizeHeader(header)) ?? []
  if (what === undefined || !FLAG_OF_REVIEW.test(normalizeHeader(header))) return false
  const isOwnText = (other: string) => new RegExp(`^${what}(?:content|text|body)$`).test(normalizeHeader(other))
  return normalizeHeader(text).startsWith('review') && headers.some(isOwnText)
}

/** What the columns of a table begin with. */
const TABLE_PREFIX = /^[A-Za-z]{1,20}_/
/** What they begin with in a table of several things. */
const OF_PERSON_OR_GOODS =
  /^(?:customer|client|user|guest|author|reviewer|member|buyer|owner|person|product|item|shop|store|order|business|place)_/i

const PUBLIC_OR_PRIVATE = { kind: 'word', isLoose: false } as const

/** A column of "public" and "private" is about visibility whatever its name. */
function isPublicOrPrivate(cells: readonly string[]): boolean {
  return cells.length > 0 && cells.every((cell) => /^(?:public|private|internal|published|unpublished)$/i.test(cell))
}

/** A US state. */
const SHORT_NAME = /^[A-Z]{2}$/

/** "NE" is Nebraska, not a Czech "no". */
function areStates(cells: readonly string[]): boolean {
  return cells.every((cell) => SHORT_NAME.test(cell)) && cells.some((cell) => cell !== 'OK' && cell !== 'NO')
}

/** What a cell means; undefined for unknown words. */
export function visibilityIn(kind: VisibilityKind, cell: string): Visibility | undefined {
  if (kind === 'filled') return NO_DATE.test(cell) ? 'shown' : 'hidden'
  if (kind === 'published') return NO_DATE.test(cell) ? 'hidden' : 'shown'
  // Without a time it has always been public, or always will be: TYPO3 writes 0.
  if (kind === 'from' || kind === 'until') return NO_DATE.test(cell) ? 'shown' : visibilityToday(kind, cell)
  if (kind === 'consent') return consentIn(cell)
  if (kind === 'decision' && /^new$/i.test(cell)) return 'hidden'
  // An empty flag among others is no permission to show the review.
  if (kind === 'flag' && cell === '') return undefined
  const said = BOX.test(cell) ? (isTicked(cell) ? 'shown' : 'hidden') : parseVisibility(cell)
  if (kind !== 'inverse' || said === undefined || cell === '') return said
  // In a column named so, the word "deleted" itself means yes; yes and no are inverted.
  if (isTicked(cell)) return 'hidden'
  return isUnticked(cell) ? 'shown' : said
}

/** A box, ticked or not, which is no word of a status. */
const BOX = /^(?:(?:un)?checked|[✓✔☑✅✗✘☒❌☐]\ufe0f?)$/iu

const NO_DATE = /^(?:|0|null|none|nil|false|no|-|n\/a|0000-00-00(?: 00:00:00)?)$/i
