import { REVIEWS_PER_PUSH } from '../../contract/limits.ts'
import { SOURCES } from '../../contract/sources.ts'
import { ANONYMOUS } from '../fields/author.ts'
import { utcDay } from '../fields/date.ts'
import { isGeneratedId, isStableId, stableId } from '../fields/external-id.ts'
import { keyOf } from './coverage.ts'
import type { EarlierReviews } from './earlier-imports.ts'
import type { ReviewKey, StoredDay, StoredDays } from './exchanged-days.ts'
import { LEAST_LENGTH } from './recognizable.ts'
import type { ImportRow } from './row.ts'
import type { BatchedImport } from './summary.ts'

/** Rows of a file that are stored under their ids before it is clear that these were always the same. */
const ENOUGH_STORED = 300
/** So many longer texts with other ids, if they are most of those stored, say that the whole file was read otherwise. */
const LEAST_FOUND = 3
/** Two shops' customers write the same by chance: of a file that was imported with another source more are stored. */
const LEAST_SHARE = 0.25
/** So many rows none of which is stored under another source say that the file never was. */
const ENOUGH_LOOKED = 1_000
/** As much of a text as a generated id is made of. */
const COMPARED_LENGTH = 200

type Found = [row: string, stored: StoredDay][]

/** What is stored of the rows of one file. */
interface Seen {
  /** How many have the row's id. */
  same: number
  /** By row, those under an id that it had, with texts of which there is only one, and with short ones. */
  found: Found
  short: Found
  /** The same under another source, how many rows were looked for there, and how many of these have longer texts. */
  elsewhere: Found
  shortElsewhere: Found
  looked: number
  lookedLonger: number
}

/** Stored reviews that rows are or may be, by the rows' sources and ids. */
export interface FormerIds {
  /** Under another generated id of the same source. */
  moved: ReadonlyMap<string, StoredDay>
  /** Under another source. */
  elsewhere: ReadonlyMap<string, StoredDay>
  /** The same, where too little of the file is stored so to say that it was imported with another source. */
  alike: ReadonlyMap<string, StoredDay>
}

/**
 * Finds rows without a vendor's id that an earlier import stored under another generated one: under another author, because the
 * column was not known or had what is not a name (user ids, the family's name), or without a day, because one was given. They
 * would otherwise be stored a second time. So would rows of a file that is now imported with another source.
 *
 * @param hasRow whether the import has a row with an id, which then is that row's
 */
export async function findFormerIds(
  source: BatchedImport,
  target: StoredDays & Pick<EarlierReviews, 'textsOf'>,
  hasRow: (key: ReviewKey) => boolean,
  signal: AbortSignal | undefined,
): Promise<FormerIds> {
  const seen = new Map<number, Seen>()
  const taken = new Set<string>()
  for await (const batch of source.batches(REVIEWS_PER_PUSH)) {
    signal?.throwIfAborted()
    const sought = batch.flatMap((row) => {
      const file = seenOf(seen, row)
      const isKnown = file.same >= ENOUGH_STORED && file.found.length === 0
      const former = isKnown ? [] : formerIds(row)
      const isFound = file.elsewhere.length + file.shortElsewhere.length > 0
      const isElsewhere = !isKnown && (isFound || file.looked < ENOUGH_LOOKED)
      const elsewhere = isElsewhere ? keysElsewhere(row) : []
      if (isElsewhere) file.looked++
      if (isElsewhere && row.review.text.length >= LEAST_LENGTH) file.lookedLonger++
      const others = [...former, ...elsewhere].filter((key) => !hasRow(key))
      return others.length > 0 ? [{ row, keys: [row.review, ...others] }] : []
    })
    if (sought.length === 0) continue
    const found = await target.storedDays(sought.flatMap(({ keys }) => keys))
    const stored = new Map(found.map((one) => [keyOf(one.source, one.external_id), one]))
    const pairs = sought.flatMap(({ row, keys }) => {
      const [own, ...others] = keys.map(({ source, external_id }) => stored.get(keyOf(source, external_id)))
      if (own) seenOf(seen, row).same++
      const there = own ? undefined : others.find((one) => one && !taken.has(one.id))
      if (there) taken.add(there.id)
      return there ? [{ row, there }] : []
    })
    for (const { row, there } of await withoutOtherTexts(pairs, target)) {
      const file = seenOf(seen, row)
      listOf(file, row, there).push([keyOf(row.review.source, row.review.external_id), there])
    }
  }
  const files = [...seen.values()]
  // "Great!" may be by two people, one of whom is in another export.
  const areMost = (found: Found, { same }: Seen) => found.length >= LEAST_FOUND && found.length > same
  const all = (pick: (file: Seen) => Found) => new Map(files.flatMap(pick))
  const isOther = (file: Seen) =>
    areMost(file.elsewhere, file) && file.elsewhere.length >= file.lookedLonger * LEAST_SHARE
  const bothElsewhere = ({ elsewhere, shortElsewhere }: Seen) => [...elsewhere, ...shortElsewhere]
  return {
    moved: all((file) => (areMost(file.found, file) ? [...file.found, ...file.short] : file.found)),
    elsewhere: all((file) => (isOther(file) ? bothElsewhere(file) : [])),
    alike: all((file) => (isOther(file) ? [] : bothElsewhere(file))),
  }
}

function seenOf(seen: Map<number, Seen>, { table }: ImportRow): Seen {
  const file = seen.get(table) ?? {
    same: 0,
    found: [],
    short: [],
    elsewhere: [],
    shortElsewhere: [],
    looked: 0,
    lookedLonger: 0,
  }
  seen.set(table, file)
  return file
}

function listOf(file: Seen, { review }: ImportRow, there: StoredDay): Found {
  const isShort = review.text.length < LEAST_LENGTH
  if (there.source === review.source) return isShort ? file.short : file.found
  return isShort && isGeneratedId(review.external_id) ? file.shortElsewhere : file.elsewhere
}

interface Pair {
  row: ImportRow
  there: StoredDay
}

/** Leaves out stored reviews that only share a vendor's id with a row: many count theirs from 1. */
async function withoutOtherTexts(pairs: Pair[], target: Pick<EarlierReviews, 'textsOf'>): Promise<Pair[]> {
  const byId = pairs.filter(({ row }) => !isGeneratedId(row.review.external_id)).map(({ there }) => there.id)
  if (byId.length === 0) return pairs
  const texts = new Map((await target.textsOf(byId)).map(({ id, text }) => [id, text.slice(0, COMPARED_LENGTH)]))
  return pairs.filter(({ row: { review }, there }) => {
    const isText = texts.get(there.id) === review.text.slice(0, COMPARED_LENGTH)
    return isText || isGeneratedId(review.external_id)
  })
}

/**
 * The ids that a row would have under the other sources. A vendor's is looked for where the day, by which the row would
 * be compared otherwise, was given.
 */
function keysElsewhere({ review, madeOf, isApproximate }: ImportRow): ReviewKey[] {
  const { external_id: id, occurred_at: at } = review
  if (!isGeneratedId(id) && !isApproximate) return []
  const { author, text } = madeOf ?? { author: review.author_name, text: review.text }
  const day = isStableId(id) ? utcDay(at) : undefined
  return SOURCES.filter((source) => source !== review.source).map((source) => {
    return { source, external_id: isGeneratedId(id) ? stableId({ source, author, day, text }) : id }
  })
}

/** The ids that a row would have under other authors, and without its day. */
function formerIds({ review, madeOf, formerNames = [] }: ImportRow): ReviewKey[] {
  const { external_id: id, source, author_name, occurred_at: at } = review
  if (!isGeneratedId(id)) return []
  const { author, text } = madeOf ?? { author: author_name, text: review.text }
  const idOf = (name: string, day: string | undefined) => stableId({ source, author: name, day, text })
  const names = author === ANONYMOUS ? formerNames : [ANONYMOUS, ...formerNames]
  const day = isStableId(id) ? utcDay(at) : undefined
  const undated = day === undefined ? [] : [author, ...names].map((name) => idOf(name, undefined))
  return [...names.map((name) => idOf(name, day)), ...undated].map((external_id) => ({ source, external_id }))
}
