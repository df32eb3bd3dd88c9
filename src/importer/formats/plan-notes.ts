import { quoted } from '../quoted.ts'
import { normalizeHeader } from '../read/headers.ts'
import type { RawRow, Table } from '../read/table.ts'
import { likelyAuthor } from './author-columns.ts'
import { isDescription } from './catalogue.ts'
import { filledCells, looksLikeProse } from './column-content.ts'
import { isFamilyName } from './excluded-headers.ts'
import type { Fields } from './field-columns.ts'
import type { ImportFormat } from './format.ts'
import type { Field } from './mapping.ts'
import type { MetadataPlan } from './metadata-columns.ts'
import { severalPlaces } from './place-columns.ts'
import { prosAndCons } from './pros-and-cons.ts'
import { describeUnused, likelyRating, mayBeGrades, ratingLists } from './rating-columns.ts'
import { describeRatingWords, type RatingWords } from './rating-words.ts'
import { areStages, describeStages, WRITE_WORDS } from './stage-columns.ts'

interface PlanFindings {
  table: Table
  sample: readonly RawRow[]
  fields: Fields
  /** Fields whose column was recognized only by the words in its name. */
  byWords: readonly Field[]
  unused: readonly string[]
  /** Columns kept as metadata because all are, not by their name. */
  keptUnnamed: readonly MetadataPlan[]
  /** Columns named like a status whose values are unknown. */
  unrecognized: readonly number[]
  /** Columns of numbers that are taken for a status. */
  stages: readonly number[]
  format: ImportFormat
  /** The date given for all reviews. */
  givenDate: string | undefined
  /** A column of relative dates: the date or, when only a date for all was given, a candidate for it. */
  ago: number | undefined
  /** The header of the links of which the ids are parts. */
  linked: string | undefined
  /** Whether reviews that are not published have a day of their own. */
  isDraftDated: boolean
  /** Ratings written as words. */
  words: RatingWords | undefined
  /** The header of ratings that another column shows to be answers from 0 to 10. */
  answers: string | undefined
  /** Whether the user named the text. */
  isMapped: boolean
}

/** Notes for the user about columns that were not used, or used with doubt. */
export function planNotes(findings: PlanFindings): string[] {
  const {
    table,
    sample,
    fields,
    byWords,
    unused,
    keptUnnamed,
    unrecognized,
    format,
    givenDate,
    ago,
    linked,
    isDraftDated,
    words: verdicts,
    answers,
    isMapped,
  } = findings
  const { headers } = table
  const notes = unrecognized.map((index) => {
    const cells = filledCells(sample, index)
    const words = [...new Set(cells)].slice(0, 3).map(quoted).join(', ')
    const note = `the column "${headers[index]}" has no known words about publishing (${words}): all rows are imported as shown`
    return areStages(cells) ? note + WRITE_WORDS : note
  })
  for (const index of findings.stages) {
    const note = describeStages(headers[index] ?? '', filledCells(sample, index))
    if (note !== undefined) notes.push(note)
  }
  for (const field of byWords) {
    const header = headers[fields[field]?.[0] ?? -1] ?? ''
    notes.push(`the ${field} is taken from "${header}" because of the words in its name (--map ${field}=…)`)
  }
  if (isDraftDated) {
    const [published, written] = (fields.date ?? []).map((index) => headers[index])
    notes.push(
      `the date is taken from "${published}", and in rows without it, which are not published, from "${written}" (--map date=…)`,
    )
  }
  if (linked !== undefined)
    notes.push(
      `the ids are those that the links in "${linked}" name (--map id= makes them of author, day and text instead)`,
    )
  if (verdicts !== undefined) {
    const rated = headers[fields.rating?.[0] ?? -1]
    notes.push(`the ratings in "${rated}" are words: ${describeRatingWords(verdicts)} (--map rating= leaves them out)`)
  }
  if (answers !== undefined)
    notes.push(
      `the ratings in "${answers}" are answers from 0 to 10 (NPS), as another column says, and become stars (--rating-scale 5 if they are stars)`,
    )
  const dated = fields.date?.[0]
  const name = `"${headers[dated ?? ago ?? -1]}"`
  if (ago !== undefined && dated === ago)
    notes.push(`the date is taken from ${name}, which only says how long ago (--map date=…)`)
  else if (ago !== undefined)
    notes.push(
      `${name} says how long ago each review was written: --as-of with the day on which the file was made is more precise than --date`,
    )
  else if (givenDate !== undefined && dated !== undefined)
    notes.push(`the dates are taken from ${name}: --date is used only if these are left out (--map date=)`)
  if (format.leavesOut !== undefined) notes.push(format.leavesOut)
  const isFree = (index: number) => unused.includes(headers[index] ?? '')
  const lists = fields.rating === undefined ? ratingLists(headers, sample, isFree) : undefined
  if (lists !== undefined)
    notes.push(
      `"${headers[lists]}" has a list of ratings in each row: all rows are imported unrated. To import stars, write one rating for each row into a column of its own`,
    )
  // WordPress's own export is XML, and has them.
  else if (fields.rating === undefined && format.starsElsewhere !== undefined && table.fileType !== 'xml')
    notes.push(`no column has ratings, so all rows are imported unrated: ${format.starsElsewhere}`)
  if (sample.length === 0) notes.push('it is the export of a project without reviews: there was nothing to import')
  const isKeptUnnamed = (index: number) => keptUnnamed.some((column) => column.index === index)
  const isOurs = format.name === 'generic'
  const rating = fields.rating === undefined && isOurs ? likelyRating(headers, sample, isFree) : undefined
  if (rating !== undefined) notes.push(describeUnused(headers[rating] ?? '', headers))
  const rated = fields.rating?.[0] ?? -1
  if (isOurs && mayBeGrades(headers[rated] ?? '', sample, rated))
    notes.push(
      `most ratings in "${headers[rated]}" are 1 or 2, which are read as stars: if they are German school grades, of which 1 is the best, leave them out (--map rating=) or convert them to stars first`,
    )
  const isUnnamed = fields.author === undefined && isOurs
  const author = isUnnamed ? likelyAuthor(headers, sample, (index) => isFree(index) || isKeptUnnamed(index)) : undefined
  if (author !== undefined) {
    const use = isFree(author)
      ? 'but is not used'
      : 'and is kept as metadata, which every page can read, only because all is'
    notes.push(
      `"${headers[author]}" may have the names of the authors ${use}: all rows are imported as Anonymous (--map author=${JSON.stringify(headers[author])} uses it)`,
    )
  }
  const places = isOurs ? severalPlaces(headers, sample, isFree) : undefined
  if (places !== undefined) notes.push(places)
  const family = headers.find((header, index) => isFree(index) && isFamilyName(header, headers))
  if (family !== undefined)
    notes.push(
      `"${family}", beside the first name, is taken for the family's and left out (--map author=${JSON.stringify(family)} uses it)`,
    )
  const translated = translationsOnly(headers, sample)
  if (translated !== undefined)
    notes.push(
      `"${translated}" says that some texts are translations, not the words of their authors: better export the originals`,
    )
  const text = fields.text?.[0] ?? -1
  const list = headers[text] ?? ''
  const other = headers.find((header, index) => isFree(index) && areApart(header, list))
  if (other !== undefined && filledCells(sample, headers.indexOf(other)).length > 0)
    notes.push(
      `"${other}" has other reviews, which are left out (--map text=${JSON.stringify(other)} reads them instead)`,
    )
  const isUnrated = isOurs && !isMapped && fields.rating === undefined
  if (isUnrated && (isDescription(list) || (fields.author === undefined && MESSAGE.test(list))))
    notes.push(
      `the text is taken from "${list}", as elsewhere products, events and changes are described: check that it has the words of reviewers (--map text=…)`,
    )
  else if (isUnrated && /^messages?$/i.test(list) && headers.some((header) => CONTACT.test(header)))
    notes.push(
      `the text is taken from "${list}", as contact forms call theirs: check that these are reviews, written to be published`,
    )
  const post = isOurs ? headers.find((header) => OF_POSTS.test(normalizeHeader(header))) : undefined
  if (post !== undefined)
    notes.push(
      `"${post}" is a column of posts and comments on a network: check that they are reviews, written by customers`,
    )
  if (table.joined?.has(list))
    notes.push(
      `each list in "${list}" becomes one review: if its texts are reviews of their own, make each of them an object with a text and a date`,
    )
  const unnamed = headers.findIndex(
    (header, index) => isOurs && isFree(index) && UNNAMED.test(header) && looksLikeProse(sample, index),
  )
  if (unnamed !== -1)
    notes.push(
      `"${headers[unnamed]}", which has no heading of its own, has sentences that are left out (--map text="${headers[unnamed]}" reads them instead)`,
    )
  const hidden = headers.filter((header, index) => table.hidden?.has(header) && !isFree(index)).map(quoted)
  if (hidden.length > 0)
    notes.push(
      `${hidden.slice(0, 3).join(', ')}: hidden in the sheet but read anyway. Delete the column if it should not be imported`,
    )
  if (table.formatted?.has(list))
    notes.push(
      `"${list}" has texts with their formatting, of which the words are read, without pictures and the addresses of links`,
    )
  const halves = (isOurs && prosAndCons(headers, sample, new Set())) || []
  const left = halves.filter((index) => isFree(index) && filledCells(sample, index).length > 0)
  if (left.length === 1 && halves.includes(text))
    notes.push(
      `"${headers[left[0] ?? -1]}" has the other half of the review, which is left out: without --map text=… the text is made of both`,
    )
  else if (left.length === 2) {
    const names = left.map((index) => `"${headers[index]}"`).join(' and ')
    const where = isMapped ? 'which are left out' : `which are used only where "${headers[text]}" is empty`
    notes.push(`${names} also have words of the review, ${where}`)
  }
  return notes
}

const OF_PRODUCT = /^(?:product|item)(?:review|comment|feedback)s?(?:text)?$/
const OF_SHOP = /^(?:service|shop|store|company|merchant|seller|site)(?:review|comment|feedback)s?(?:text)?$/

/** Whether one column is about the product and one about the shop, as in Feefo's tables: rows have two reviews. */
function areApart(one: string, other: string): boolean {
  const names = [one, other].map(normalizeHeader)
  return names.some((name) => OF_PRODUCT.test(name)) && names.some((name) => OF_SHOP.test(name))
}

/** What a column without a heading is called. */
const UNNAMED = /^column \d+$/

/** What logs and feeds call their entries, and reviews are called as well. */
const MESSAGE = /^(?:message|body|snippet|detail)$/i
/** What contact forms ask, beside the message. */
const CONTACT = /^(?:e-?mail|phone|subject)/i
/** Of Twitter, YouTube and Reddit. */
const OF_POSTS = /^(?:(?:re)?tweets?(?:id|text|count|url|created(?:at)?)?|inreplyto.*|hashtags?|subreddit|videoid)$/

const TRANSLATED = /^(?:is)?(?:machine|auto)?translated$/

/** The column that calls texts translated, in a file without their originals. */
function translationsOnly(headers: readonly string[], sample: readonly RawRow[]): string | undefined {
  const names = headers.map(normalizeHeader)
  if (names.some((name) => /translat|original/.test(name) && /text|review|comment|content|feedback/.test(name)))
    return undefined
  return headers.find(
    (_, index) => TRANSLATED.test(names[index] ?? '') && filledCells(sample, index).some((cell) => cell === 'true'),
  )
}
