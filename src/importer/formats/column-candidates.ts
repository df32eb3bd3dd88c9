import { normalizeHeader } from '../read/headers.ts'
import type { RawRow } from '../read/table.ts'
import { HEADER_ALIASES } from './aliases.ts'
import { filledFirst, isNameOfPerson } from './author-columns.ts'
import { goodsOf, isDescription } from './catalogue.ts'
import {
  filledCells,
  holdsLists,
  holdsNumbers,
  isPlausibleColumn,
  isVaried,
  looksLikeDates,
  looksLikeProse,
  unfilledRows,
} from './column-content.ts'
import { type CompoundField, isCompoundName } from './compound-names.ts'
import { isFamilyName, isPrivate, isReply } from './excluded-headers.ts'
import { headerNames } from './header-names.ts'
import type { Field } from './mapping.ts'
import { ABOUT_REVIEW } from './missing-columns.ts'
import { ASPECT, isGermanGrade, isOfSomethingElse, scaleOfHeader } from './rating-columns.ts'
import { isPublicationDate } from './visibility-columns.ts'

/** Finds the candidate columns for a field by name and content. */
export class ColumnCandidates {
  readonly #headers: readonly string[]
  readonly #sample: readonly RawRow[]
  readonly #names: readonly string[][]
  readonly #isOfGoods: (header: string) => boolean

  constructor(headers: readonly string[], sample: readonly RawRow[]) {
    this.#headers = headers
    this.#sample = sample
    this.#names = headers.map(headerNames)
    this.#isOfGoods = goodsOf(headers)
  }

  /** Candidates by name, most specific first. */
  named(field: Field, used: ReadonlySet<number>): number[] {
    const names = field === 'date' ? this.#names.map(withoutZone) : this.#names
    const placesByName = new Map<string, number[]>()
    for (const [index, own] of names.entries())
      for (const name of own) {
        const places = placesByName.get(name)
        if (places) places.push(index)
        else placesByName.set(name, [index])
      }
    const found = [...(HEADER_ALIASES.get(field) ?? [])].flatMap((alias) => {
      const places = placesByName.get(alias) ?? []
      // A full header ranks before one that only ends with the alias, and of two forms of a date the one with a known
      // time zone first.
      const rank = (index: number) => {
        // Beside "reviews.id", "id" belongs to the reviewed thing.
        if (field === 'id' && /^reviews?\./i.test(this.#headers[index] ?? '')) return -1
        return names[index]?.indexOf(alias) ?? 0
      }
      return places.sort((a, b) => rank(a) - rank(b) || Number(this.#isZoned(b)) - Number(this.#isZoned(a)) || a - b)
    })
    const free = this.#excludeReplies(
      [...new Set(found)].filter(
        (index) => !used.has(index) && !isFamilyName(this.#headers[index] ?? '', this.#headers),
      ),
    )
    if (field === 'text') return this.#texts(free, used)
    if (field === 'date') return this.#dates(free, used)
    if (field === 'author') return free.filter((index) => isNameOfPerson(this.#headers, this.#sample, index))
    return field === 'rating' ? free.filter((index) => this.#isRating(index) && !this.#isValueForMoney(index)) : free
  }

  /** Candidates by name whose cells are plausible. */
  plausible(field: Field, used: ReadonlySet<number>): number[] {
    const possible = this.named(field, used)
      .slice(0, MOST_CANDIDATES)
      .filter((candidate) => isPlausibleColumn(field, this.#sample, candidate))
    if (field === 'text' && isDescription(this.#headers[possible[0] ?? -1] ?? '')) {
      // "opinion_text" is a review whatever else there is.
      const named = this.compound('text', used)
      if (named.length > 0) return [...named, ...possible]
    }
    if (field === 'text') return this.#preferBody(possible)
    if (field === 'id') return this.#preferOwnId(possible)
    if (field === 'author') return filledFirst(possible, this.#sample)
    if (field === 'rating' && this.#isOfSomethingElse(possible[0])) return this.#preferOwn(possible, used)
    if (field === 'date' && this.#isCalled(BARE_TIME, possible[0] ?? -1)) {
      // Beside the date of the review, a bare time is when a program fetched it.
      const named = this.compound('date', used).filter((index) => ABOUT_REVIEW.test(this.#names[index]?.[0] ?? ''))
      if (named.length > 0) return [...named, ...possible]
    }
    // The same date without its time zone is not an alternative.
    return field === 'date' ? possible.filter((index) => !this.#isTwin(index, possible)) : possible
  }

  /** Candidates whose name is only composed of a field's words, and whose cells leave no doubt. */
  compound(field: CompoundField, used: ReadonlySet<number>): number[] {
    return this.#unnamed(used).filter(
      (index) => isCompoundName(field, this.#headers[index] ?? '') && this.#looksLike(field, index),
    )
  }

  #looksLike(field: CompoundField, index: number): boolean {
    if (field === 'date') return looksLikeDates(this.#sample, index)
    if (field === 'text') return looksLikeProse(this.#sample, index, SHORT_PROSE) && !holdsLists(this.#sample, index)
    const isFilled = filledCells(this.#sample, index).length > 0
    return isFilled && this.#isRating(index) && isPlausibleColumn(field, this.#sample, index)
  }

  /** The columns of which each row fills only one, best first: the file concatenates tables with different headers. */
  complements([first = -1, ...others]: readonly number[]): number[] {
    const taken = [first]
    const isFilled = (row: RawRow, index: number) => (row.cells[index] ?? '').trim() !== ''
    if (isPublicationDate(this.#headers[first] ?? '')) {
      // Drafts, which are hidden by it, have another day.
      const drafts = unfilledRows(this.#sample, first)
      const isTheirs = (other: number) => drafts.every((row) => isFilled(row, other))
      return [first, ...others.filter(isTheirs).slice(0, 1)]
    }
    for (const other of others.filter((index) => !isPublicationDate(this.#headers[index] ?? ''))) {
      const isApart = this.#sample.every((row) => !isFilled(row, other) || !taken.some((index) => isFilled(row, index)))
      if (isApart && this.#sample.some((row) => isFilled(row, other))) taken.push(other)
    }
    return taken
  }

  /** Columns of sentences with unknown names: one of them may be the text. */
  unnamedProse(used: ReadonlySet<number>): number[] {
    return this.#unnamed(used).filter(
      (index) => isVaried(filledCells(this.#sample, index)) && looksLikeProse(this.#sample, index, SHORT_PROSE),
    )
  }

  #unnamed(used: ReadonlySet<number>): number[] {
    return this.#headers.flatMap((header, index) =>
      used.has(index) || isReply(header) || isPrivate(header) || this.#isKnown(index) ? [] : [index],
    )
  }

  /** "Response" is the review in a survey, elsewhere the owner's reply: taken only if nothing else can be the text. */
  #texts(named: number[], used: ReadonlySet<number>): number[] {
    const found = named.filter((index) => {
      const header = this.#headers[index] ?? ''
      // Numbers count the reviews of what is listed.
      if (holdsLists(this.#sample, index) || holdsNumbers(this.#sample, index)) return false
      return !isPrivate(header) && !this.#isOfGoods(header)
    })
    const customers = found.filter((index) => !isReply(this.#headers[index] ?? ''))
    if (customers.length > 0) return customers
    return this.unnamedProse(used).length > 0 ? [] : found
  }

  /** "Response date" is the date of the review in a survey, but of the owner's reply where there is one. */
  #dates(found: number[], used: ReadonlySet<number>): number[] {
    const isAnswered =
      this.#headers.some((header) => isReply(header) && !DATE_OR_ID.test(normalizeHeader(header))) &&
      (this.#texts(this.#namedAsText(), used).some((index) => !isReply(this.#headers[index] ?? '')) ||
        this.unnamedProse(used).length > 0)
    return isAnswered ? found.filter((index) => !isReply(this.#headers[index] ?? '')) : found
  }

  #namedAsText(): number[] {
    const aliases = HEADER_ALIASES.get('text')
    return this.#names.flatMap((names, index) => (names.some((name) => aliases?.has(name)) ? [index] : []))
  }

  #isRating(index: number): boolean {
    const header = this.#headers[index] ?? ''
    return scaleOfHeader(header) !== 'other' && !isGermanGrade(header, this.#headers)
  }

  /** In an object of ratings for food, service and the like, "value" is one of them, and not the rating itself. */
  #isValueForMoney(index: number): boolean {
    const [, object] = /^(.+)\.value$/i.exec(this.#headers[index] ?? '') ?? []
    if (object === undefined) return false
    return this.#headers.some((other) => other.startsWith(`${object}.`) && ASPECT.test(other.slice(object.length + 1)))
  }

  /** An object "comment" beside a text is the shop's reply, with its own id and date (Yotpo's API). */
  #excludeReplies(found: readonly number[]): number[] {
    const isInComment = (index: number) => IN_COMMENT.test(this.#headers[index] ?? '')
    if (!found.some(isInComment) || this.#namedAsText().every(isInComment)) return [...found]
    return found.filter((index) => !isInComment(index))
  }

  /** A "comment" filled in only some rows that have a "content" is the shop's remark. */
  #preferBody(possible: number[]): number[] {
    const [first, ...others] = possible
    if (first === undefined || !this.#isCalled(REMARKS, first)) return possible
    const filled = (index: number) => filledCells(this.#sample, index).length
    const body = others.find((index) => this.#isCalled(BODIES, index) && filled(first) < filled(index))
    return body === undefined ? possible : [body, ...possible.filter((index) => index !== body)]
  }

  /** "response.id" is the review's in a survey, but the shop's answer's where only some rows have one. */
  #preferOwnId(possible: readonly number[]): number[] {
    const isRare = (index: number) => filledCells(this.#sample, index).length < this.#sample.length
    const isOfAnswer = (index: number) => isReply(this.#headers[index] ?? '') && isRare(index)
    return [...possible.filter((index) => !isOfAnswer(index)), ...possible.filter(isOfAnswer)]
  }

  /** What does not look like the rating of a review is none where another column is one. */
  #preferOwn(possible: readonly number[], used: ReadonlySet<number>): number[] {
    const own = [...possible, ...this.compound('rating', used)].filter(
      (index) => !this.#isOfSomethingElse(index) && filledCells(this.#sample, index).length > 0,
    )
    return own.length > 0 ? [...new Set([...own, ...possible])] : [...possible]
  }

  #isOfSomethingElse(index = -1): boolean {
    return isOfSomethingElse(filledCells(this.#sample, index))
  }

  #isCalled(pattern: RegExp, index: number): boolean {
    return this.#names[index]?.some((name) => pattern.test(name)) ?? false
  }

  #isKnown(index: number): boolean {
    return [...HEADER_ALIASES.values()].some((aliases) => this.#names[index]?.some((name) => aliases.has(name)))
  }

  #isTwin(index: number, others: readonly number[]): boolean {
    const [name = ''] = this.#names[index] ?? []
    return others.some(
      (other) => other !== index && this.#isZoned(other) && this.#names[other]?.[0]?.replace(ZONE, '') === name,
    )
  }

  #isZoned(index: number): boolean {
    return ZONE.test(this.#names[index]?.[0] ?? '')
  }
}

/** A bound for files with a thousand columns of the same name. */
const MOST_CANDIDATES = 20
const ZONE = /(?:utc|gmt)$/
const REMARKS = /^(?:comments?|kommentar|commentaires?|comentarios?|commento|opmerking(?:en)?|remarks?)$/
const IN_COMMENT = /^comments?\.(?!userComment)/i
const BODIES =
  /^(?:(?:review)?(?:content|body|text)|review|feedback|inhalt|bewertungstext|contenu|contenido|contenuto|inhoud)$/
const BARE_TIME = /^(?:timestamp|time|datetime|время)$/
const DATE_OR_ID = /date|datum|fecha|data|time|zeit|id$|at$|count|status|by$|url|link/

/** Minimum average length: less than a suggested text needs, but enough to doubt that a "response" is the review. */
const SHORT_PROSE = 12

/** "Created (UTC)" is also looked up as "Created"; dates without a zone are UTC anyway. */
function withoutZone(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.replace(ZONE, '')))]
}
