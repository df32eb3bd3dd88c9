import { parseVisibility } from '../../fields/visibility.ts'
import { ImporterError } from '../../importer-error.ts'
import { quoted } from '../../quoted.ts'
import { normalizeHeader } from '../headers.ts'
import { areTexts } from './flatten.ts'
import { formattedText } from './formatted-text.ts'
import { phpMyAdminTables, recordsBelowNames, recordsOfTable } from './json-tables.ts'
import { isObject } from './json-values.ts'

const LIST_DEPTH = 5
/** What JSON:API, feeds and databases list beside the records: referenced resources, pagination links and columns. */
const BESIDE_RECORDS = new Set(['included', 'link', 'links', 'errors', 'meta', 'fields', 'columns', 'cols', 'schema'])
/** Names of a list of reviews, the most specific first. */
const NAMES = (
  'reviews reviewslist reviewlist reviewsdata reviewdata userreviewsextended userreviews customerreviews productreviews productreview hotelreviews googlereviews testimonials feedback ' +
  'resenas opiniones avis bewertungen recensioni avaliacoes depoimentos ulasan yorumlar'
).split(' ')

/** Prefilter, so that other keys, of which a file may have a million, need not be normalized. */
const LIKELY = /review|testim|feedb|rese|opini|avis|bewer|recen|avali|depoi|ulasa|yorum/i
/** Lists of a conversation are not merged either. */
const CONVERSED = /repl|answer|respon|question|private|internal/i
const MOST_NAMED = 10
const MOST_STATES = 20
/** Enough to compare two reviews by their keys. */
const KEYS_COMPARED = 50

/**
 * The records of a JSON document: the root list, the only list within an object, the one named after reviews, or those
 * of all places or products together. Objects keyed by id, rows of cells and columns of cells count as lists too.
 *
 * @param notes gets the one on places and products whose reviews are merged
 * @throws ImporterError `no_rows`
 */
export function findRecords(file: string, root: unknown, notes: string[] = []): unknown[] {
  if (Array.isArray(root)) {
    const dump = phpMyAdminTables(root)
    return dump
      ? findRecords(file, dump, notes)
      : (listsWithin(root, notes) ?? pagesIn(root) ?? recordsOfTable(root) ?? root)
  }
  if (!isObject(root))
    throw new ImporterError('no_rows', `${file} contains a single JSON value, not a list of reviews.`)
  const kept = recordsOfTable(root) === undefined ? recordsOfKeys(root) : undefined
  if (kept) return listsWithin(kept, notes, Object.keys(root)) ?? kept
  const keys = Object.keys(root)
  const isApart = (key: string) => CONVERSED.test(key) || BESIDE_RECORDS.has(key)
  const areApart = areOfStates(keys) || keys.some(isApart) || reviewsIn(root) !== undefined
  const pages = areApart ? undefined : pagesIn(Object.values(root))
  if (pages) {
    noteOwners(keys, notes)
    return pages
  }
  let level: Record<string, unknown>[] = [root]
  let above: string[] = []
  let plain: unknown[] | undefined
  let keyed: unknown[] | undefined
  for (let depth = 0; depth < LIST_DEPTH; depth++) {
    const named = reviewsOfEach(level).flatMap((list) => (list && list.length > 0 ? [list] : []))
    const [reviews] = named
    if (reviews && (named.length === 1 || !areOfStates(above))) {
      if (named.length > 1) noteOwners(above, notes)
      return named.flat()
    }
    const tables = level.flatMap((object) => [recordsBelowNames(object) ?? []]).filter((table) => table.length > 0)
    if (tables[0] && tables.length === 1) return tables[0]
    plain ??= level.map(recordsOfTable).find((table) => table !== undefined)
    const below = level.flatMap((object) => [recordsBelowIds(object) ?? []]).filter((found) => found.length > 0)
    if (below.length === 1) keyed ??= below[0]
    const lists = level.flatMap((object) => Object.entries(object)).filter(([, value]) => isListOfObjects(value))
    const records = lists.length > 1 ? lists.filter(([key]) => !BESIDE_RECORDS.has(key)) : lists
    const [list] = records.length > 1 ? [] : records
    if (list && Array.isArray(list[1])) return listsWithin(list[1], notes) ?? list[1]
    if (lists.length > 1) {
      const names = [...new Set(lists.map(([key]) => key))]
      const keys = names.length > MOST_NAMED ? `${names.slice(0, MOST_NAMED).join(', ')} …` : names.join(', ')
      throw new ImporterError(
        'no_rows',
        `${file} has several lists (${keys}) but none is called "reviews". Keep only the list of reviews.`,
      )
    }
    above = level.flatMap((object) => Object.keys(object).filter((key) => isObject(object[key])))
    level = level.flatMap((object) => Object.values(object)).filter(isObject)
  }
  const found = plain ?? keyed ?? onlyTexts(root)
  if (found) return found
  // An empty list is an export without reviews; an object without any list is a single review.
  const empty = Object.values(root).find((value) => Array.isArray(value))
  return Array.isArray(empty) && empty.length === 0 ? [] : [root]
}

/** Several lists of like objects merged: pages, products or places with the reviews of each. */
function pagesIn(lists: readonly unknown[]): unknown[] | undefined {
  const filled = lists.filter((list) => !Array.isArray(list) || list.length > 0)
  const first = filled.every(isListOfObjects) ? filled.flatMap((list) => list.slice(0, 1)) : []
  return recordsById({ ...first }) ? filled.flat() : undefined
}

/** The reviews of a list of places, products or accounts when most of them have a list of reviews. */
export function listsWithin(
  records: readonly unknown[],
  notes: string[] = [],
  keys: readonly string[] = [],
): unknown[] | undefined {
  const owners = records.filter(isObject)
  const lists = reviewsOfEach(owners).filter((list) => list !== undefined)
  const isOwned = lists.length >= owners.length / 2 && lists.some((list) => list.length > 0)
  const names = isOwned ? owners.flatMap(nameOf) : []
  if (isOwned) noteOwners(names.length > 0 ? names : keys, notes)
  return isOwned ? lists.flat() : undefined
}

const OWNER =
  /^(?:(?:place|hotel|restaurant|business|company|store|shop|branch|location|product|app)[-_ ]?)?(?:name|title)$|^(?:place|hotel|restaurant|business|store|shop|branch|location|product)$/i

function nameOf(owner: Record<string, unknown>): string[] {
  const name = Object.entries(owner).find(([key, value]) => typeof value === 'string' && OWNER.test(key))
  return typeof name?.[1] === 'string' && name[1].trim() !== '' ? [name[1]] : []
}

/** Names of pages of one list. */
const PAGE = /^(?:pages?|parts?|chunks?|batch(?:es)?|results?|list|file)?[\W_]*\d*$/i
const OWNERS_SHOWN = 3

function noteOwners(all: readonly string[], notes: string[]): void {
  const names = [...new Set(all)].filter((name) => !PAGE.test(name))
  if (names.length < 2) return
  const first = names.slice(0, OWNERS_SHOWN).map(quoted).join(', ')
  notes.push(
    `it has lists of several (${first}${names.length > OWNERS_SHOWN ? ', …' : ''}): the reviews of all come into this project, without these names`,
  )
}

/** Whether keys such as `approved` and `pending` separate published from unpublished: such lists are not merged. */
function areOfStates(keys: readonly string[]): boolean {
  const isHiding = (key: string) =>
    /^[a-z]{4,20}$/i.test(key) && ['hidden', 'spam'].includes(parseVisibility(key) ?? '')
  return keys.length <= MOST_STATES && keys.some(isHiding)
}

/** The list of an object that is named after reviews. */
function reviewsIn(object: Record<string, unknown>): unknown[] | undefined {
  const found = Object.entries(object).flatMap(([key, value]) => {
    const rank = typeof value === 'object' && LIKELY.test(key) ? NAMES.indexOf(normalizeHeader(key)) : -1
    const texts = MAY_BE_ONE.test(key) ? undefined : textsIn(value)
    const list = rank === -1 ? undefined : (recordsIn(value) ?? texts)
    return list ? [{ list, rank: list.length > 0 ? rank : NAMES.length }] : []
  })
  return found.sort((a, b) => a.rank - b.rank)[0]?.list
}

/**
 * The list of each object that is named after reviews. A single review below a key that a person chose looks like a part of its
 * owner; the reviews of others tell that it is one.
 */
function reviewsOfEach(objects: readonly Record<string, unknown>[]): (unknown[] | undefined)[] {
  const lists = objects.map(reviewsIn)
  const review = lists.find((list) => list?.some(isObject))?.find(isObject)
  return lists.map((list, i) => list ?? (review && onlyReviewIn(objects[i] ?? {}, review)))
}

function onlyReviewIn(owner: Record<string, unknown>, review: Record<string, unknown>): unknown[] | undefined {
  const kept = Object.entries(owner).find(([key]) => LIKELY.test(key) && NAMES.includes(normalizeHeader(key)))
  const [only, ...others] = isObject(kept?.[1]) ? Object.values(kept[1]) : []
  return others.length === 0 && isLike(only, review) ? [only] : undefined
}

/** Names in the singular, whose list may have the paragraphs of one review. */
const MAY_BE_ONE = /^(?:feedback|avis)$/i

function textsIn(value: unknown): { text: string }[] | undefined {
  return Array.isArray(value) && areTexts(value) ? value.map((text) => ({ text })) : undefined
}

/** The texts of an object that has nothing else: one review would have a date beside them. */
function onlyTexts(root: Record<string, unknown>): { text: string }[] | undefined {
  const [list, ...others] = Object.values(root)
  return others.length === 0 ? textsIn(list) : undefined
}

function recordsIn(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value.length === 0 || isListOfObjects(value) ? value : undefined
  return isObject(value) ? recordsOfKeys(value) : undefined
}

/** The records that an object keeps below days or ids. */
function recordsOfKeys(object: Record<string, unknown>): Record<string, unknown>[] | undefined {
  const [only, ...others] = Object.values(object)
  // A wrapper such as "reviewsV2", whose list is found elsewhere.
  if (others.length === 0 && isObject(only) && hasLists(only)) return undefined
  return recordsByDay(object) ?? recordsById(object) ?? recordsBelowIds(object)
}

function hasLists(object: Record<string, unknown>): boolean {
  return Object.values(object).some((value) => Array.isArray(value) || (isObject(value) && hasLists(value)))
}

const DAY = /^(?:\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2\d{4})(?!\d)/

/** What an object keeps below days; `when` is the last name of a date that is looked for. */
function recordsByDay(object: Record<string, unknown>): Record<string, unknown>[] | undefined {
  const days = Object.entries(object)
  if (days.length === 0 || !days.every(([key]) => DAY.test(key))) return undefined
  const records = days.flatMap(([when, value]) => {
    const list = Array.isArray(value) ? value : [value]
    const texts = textsIn(list) ?? list
    return texts.map((one: unknown) => (isObject(one) ? { when, ...one } : undefined))
  })
  return records.every((record) => record !== undefined) ? records : undefined
}

/** A key that no person chose. */
const ID = /\d|^[\w-]{20}/

/** As {@link recordsById}, also of a single id, and of ids below ids, as reviews of several places are kept. */
function recordsBelowIds(object: Record<string, unknown>, depth = 0): Record<string, unknown>[] | undefined {
  const values = Object.values(object)
  if (depth === LIST_DEPTH || values.length === 0 || !values.every(isObject)) return undefined
  if (!Object.keys(object).every((key) => ID.test(key))) return undefined
  const below = values.map((value) => recordsBelowIds(value, depth + 1))
  if (below.every((records) => records !== undefined)) return below.flat()
  return values.length === 1 ? withPushIds(object, values) : recordsById(object)
}

/** The values of an object that maps ids to like objects, as databases export them. */
function recordsById(object: Record<string, unknown>): Record<string, unknown>[] | undefined {
  const values = Object.values(object)
  const [first] = values
  if (values.length < 2 || !isObject(first) || areOfStates(Object.keys(object))) return undefined
  const records = values.filter((value) => isLike(value, first))
  return records.length === values.length ? withPushIds(object, records) : undefined
}

/** Whether a value is an object with half of the keys of another. */
function isLike(value: unknown, first: Record<string, unknown>): value is Record<string, unknown> {
  const keys = Object.keys(first).slice(0, KEYS_COMPARED)
  return isObject(value) && keys.length > 0 && keys.filter((key) => key in value).length >= keys.length / 2
}

/** What Firebase calls a record when it is stored. Other keys may be users, who write several, or positions. */
const PUSH_ID = /^-[\w-]{19}$/

function withPushIds(object: Record<string, unknown>, records: Record<string, unknown>[]): Record<string, unknown>[] {
  const ids = Object.keys(object)
  return ids.every((id) => PUSH_ID.test(id)) ? records.map((record, i) => ({ id: ids[i], ...record })) : records
}

function isListOfObjects(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.some(isObject) && formattedText(value) === undefined
}
