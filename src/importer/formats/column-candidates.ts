import { normalizeHeader } from '../read/headers.ts'
import type { RawRow } from '../read/table.ts'
import { HEADER_ALIASES } from './aliases.ts'
import { filledCells, holdsLists, isPlausibleColumn, looksLikeDates, looksLikeProse } from './column-content.ts'
import { type CompoundField, isCompoundName } from './compound-names.ts'
import { isAnswer, isPrivate } from './excluded-headers.ts'
import { headerNames } from './header-names.ts'
import type { Field } from './mapping.ts'
import { ABOUT_REVIEW } from './missing-columns.ts'
import { isGermanGrade, scaleOfHeader } from './rating-columns.ts'
import { namesPublication } from './visibility-columns.ts'

/** The columns of a table by the names under which they are looked up. */
export class ColumnCandidates {
  readonly #headers: readonly string[]
  readonly #sample: readonly RawRow[]
  readonly #names: readonly string[][]

  constructor(headers: readonly string[], sample: readonly RawRow[]) {
    this.#headers = headers
    this.#sample = sample
    this.#names = headers.map(headerNames)
  }

  /** The columns that could be a field by their names, the most telling first. */
  named(field: Field, used: ReadonlySet<number>): number[] {
    const names = field === 'date' ? this.#names.map(withoutZone) : this.#names
    const found = [...(HEADER_ALIASES.get(field) ?? [])].flatMap((alias) => {
      const places = names.flatMap((own, index) => (own.includes(alias) ? [index] : []))
      // The heading as it stands goes before one that only ends so, and of a date's two forms that whose zone is known.
      const rank = (index: number) => {
        // Beside "reviews.id" an "id" is that of the thing that was reviewed.
        if (field === 'id' && /^reviews?\./i.test(this.#headers[index] ?? '')) return -1
        return names[index]?.indexOf(alias) ?? 0
      }
      return places.sort((a, b) => rank(a) - rank(b) || Number(this.#isZoned(b)) - Number(this.#isZoned(a)) || a - b)
    })
    const free = this.#withoutRemarks([...new Set(found)].filter((index) => !used.has(index)))
    if (field === 'text') return this.#texts(free, used)
    if (field === 'date') return this.#dates(free, used)
    // Beside coordinates a bare "name" is that of the place.
    if (field === 'author' && this.#hasCoordinates())
      return free.filter((index) => !/^(?:name|nombre|nom|nome|naam|nama)$/i.test(this.#headers[index] ?? ''))
    return field === 'rating' ? free.filter((index) => this.#isRating(index)) : free
  }

  /** The columns that could be a field by their names and by their cells. */
  plausible(field: Field, used: ReadonlySet<number>): number[] {
    const possible = this.named(field, used)
      .slice(0, MOST_CANDIDATES)
      .filter((candidate) => isPlausibleColumn(field, this.#sample, candidate))
    if (field === 'text') return this.#bodyBeforeRemark(possible)
    if (field === 'rating' && this.#isFlag(possible[0])) return this.#varied(possible, used)
    if (field === 'date' && this.#isCalled(BARE_TIME, possible[0] ?? -1)) {
      // Beside a day of the review, a bare time is that at which a program read it.
      const named = this.compound('date', used).filter((index) => ABOUT_REVIEW.test(this.#names[index]?.[0] ?? ''))
      if (named.length > 0) return [...named, ...possible]
    }
    // The same date once more, without its zone, is no other choice.
    return field === 'date' ? possible.filter((index) => !this.#isTwin(index, possible)) : possible
  }

  /** The columns that are called so only by the words in their names, and whose cells leave no doubt. */
  compound(field: CompoundField, used: ReadonlySet<number>): number[] {
    return this.#headers.flatMap((header, index) => {
      const isOther = used.has(index) || isAnswer(header) || isPrivate(header) || this.#isKnown(index)
      return !isOther && isCompoundName(field, header) && this.#looksLike(field, index) ? [index] : []
    })
  }

  #looksLike(field: CompoundField, index: number): boolean {
    if (field === 'date') return looksLikeDates(this.#sample, index)
    if (field === 'text') return looksLikeProse(this.#sample, index, SHORT_PROSE) && !holdsLists(this.#sample, index)
    const isFilled = filledCells(this.#sample, index).length > 0
    return isFilled && this.#isRating(index) && isPlausibleColumn(field, this.#sample, index)
  }

  /**
   * Those of a field's columns of which each row fills one: tables with other headings were put below each other. In the
   * order of preference.
   */
  complements([first = -1, ...others]: readonly number[]): number[] {
    const taken = [first]
    const isFilled = (row: RawRow, index: number) => (row.cells[index] ?? '').trim() !== ''
    for (const other of others) {
      // A draft's other dates are not the day of its publication.
      if ([first, other].some((index) => namesPublication(this.#headers[index] ?? ''))) continue
      const isApart = this.#sample.every((row) => !isFilled(row, other) || !taken.some((index) => isFilled(row, index)))
      if (isApart && this.#sample.some((row) => isFilled(row, other))) taken.push(other)
    }
    return taken
  }

  /** Columns of sentences under names that mean nothing known: one of them may be the text. */
  unnamedProse(used: ReadonlySet<number>): number[] {
    return this.#headers.flatMap((header, index) => {
      const isOther = used.has(index) || isAnswer(header) || isPrivate(header) || this.#isKnown(index)
      return !isOther && isVaried(filledCells(this.#sample, index)) && looksLikeProse(this.#sample, index, SHORT_PROSE)
        ? [index]
        : []
    })
  }

  /**
   * "Response" is what the customer answered in a survey, and elsewhere what the owner wrote back: it is the text only where
   * nothing else can be.
   */
  #texts(named: number[], used: ReadonlySet<number>): number[] {
    const found = named.filter((index) => !holdsLists(this.#sample, index) && !isPrivate(this.#headers[index] ?? ''))
    const customers = found.filter((index) => !isAnswer(this.#headers[index] ?? ''))
    if (customers.length > 0) return customers
    return this.unnamedProse(used).length > 0 ? [] : found
  }

  /** "Response date" is the day of the review in a survey, and of the owner's answer beside one. */
  #dates(found: number[], used: ReadonlySet<number>): number[] {
    const isAnswered =
      this.#headers.some((header) => isAnswer(header) && !DATE_OR_ID.test(normalizeHeader(header))) &&
      (this.#texts(this.#namedExactly('text'), used).some((index) => !isAnswer(this.#headers[index] ?? '')) ||
        this.unnamedProse(used).length > 0)
    return isAnswered ? found.filter((index) => !isAnswer(this.#headers[index] ?? '')) : found
  }

  #hasCoordinates(): boolean {
    const has = (pattern: RegExp) => this.#names.some((names) => names.some((name) => pattern.test(name)))
    return has(/^(?:.*latitude|lat)$/) && has(/^(?:.*longitude|lng|lon|long)$/)
  }

  #namedExactly(field: Field): number[] {
    const aliases = HEADER_ALIASES.get(field)
    return this.#names.flatMap((names, index) => (names.some((name) => aliases?.has(name)) ? [index] : []))
  }

  #isRating(index: number): boolean {
    const header = this.#headers[index] ?? ''
    return scaleOfHeader(header) !== 'other' && !isGermanGrade(header, this.#headers)
  }

  /** An object called "comment" beside a text is the shop's answer to it, with an id and a day of its own (Yotpo's API). */
  #withoutRemarks(found: readonly number[]): number[] {
    const isInComment = (index: number) => IN_COMMENT.test(this.#headers[index] ?? '')
    if (!found.some(isInComment) || this.#namedExactly('text').every(isInComment)) return [...found]
    return found.filter((index) => !isInComment(index))
  }

  /** A "comment" that is filled in some of the rows that have a "content" is the shop's remark on it. */
  #bodyBeforeRemark(possible: number[]): number[] {
    const [first, ...others] = possible
    if (first === undefined || !this.#isCalled(REMARKS, first)) return possible
    const filled = (index: number) => filledCells(this.#sample, index).length
    const body = others.find((index) => this.#isCalled(BODIES, index) && filled(first) < filled(index))
    return body === undefined ? possible : [body, ...possible.filter((index) => index !== body)]
  }

  /** A 1 in each row is a flag, where another column tells the reviews apart. */
  #varied(flags: readonly number[], used: ReadonlySet<number>): number[] {
    const others = [...flags, ...this.compound('rating', used)].filter(
      (index) => !this.#isFlag(index) && filledCells(this.#sample, index).length > 0,
    )
    return others.length > 0 ? others : [...flags]
  }

  #isFlag(index = -1): boolean {
    const cells = filledCells(this.#sample, index)
    return cells.length >= LEAST_FLAGS && cells.every((cell) => cell === '1')
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

/** Of a thousand columns that are all called alike, no more are looked at. */
const MOST_CANDIDATES = 20
const ZONE = /(?:utc|gmt)$/
const REMARKS = /^(?:comments?|kommentar|commentaires?|comentarios?|commento|opmerking(?:en)?|remarks?)$/
const IN_COMMENT = /^comments?\.(?!userComment)/i
const BODIES =
  /^(?:(?:review)?(?:content|body|text)|review|feedback|inhalt|bewertungstext|contenu|contenido|contenuto|inhoud)$/
const BARE_TIME = /^(?:timestamp|time|datetime)$/
const LEAST_FLAGS = 5
const DATE_OR_ID = /date|datum|fecha|data|time|zeit|id$|at$|count|status|by$|url|link/

/** Shorter than what is proposed as a text: it is enough to doubt that the answer is it. */
const SHORT_PROSE = 12

/** A question stands in each row alike. */
function isVaried(cells: readonly string[]): boolean {
  return new Set(cells).size > cells.length / 2
}

/** "Created (UTC)" is a date by the same names; the zone is what a date without one gets anyway. */
function withoutZone(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.replace(ZONE, '')))]
}
