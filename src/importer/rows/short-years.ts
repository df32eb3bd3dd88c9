import { quoted } from '../quoted.ts'

/** `24.03.05`, `24. 3. 5.`, `24-03-05`, `24.3.5.화`: the year is first or last. */
const SHORT = /^(\d{2})([./-]) ?(\d{1,2})\2 ?(\d{1,2})(?:\.(?!\d))? ?(?:\(?[월화수목금토일](?:요일)?\)?)?(?=$|[ ,T])/
const KOREAN = /\p{Script=Hangul}/u
const THAI = /\p{Script=Thai}/u
/** `14/3/67`: such a year below a Thai heading is 2567 of the Buddhist era. */
const ENDS_SHORT = /^(\d{1,2}([./-])\d{1,2}\2)(\d{2})(?=$|[ ,])/
/** 2000 of the common era is 2543. */
const BUDDHIST_AHEAD = 43
/** Earlier, businesses had no reviews to export. */
const FIRST_YEAR = 5

/** Infers whether dates with a year of two digits begin with it, as in Korea, from the years of both readings. */
export class ShortYears {
  readonly #isKorean: boolean
  readonly #isThai: boolean
  readonly #thisYear = new Date().getUTCFullYear() % 100
  #first = 0
  #last = 0
  #era: { cell: string; line: number } | undefined
  #example: { cell: string; line: number } | undefined

  /** @param header the header of the dates */
  constructor(header: string) {
    this.#isKorean = KOREAN.test(header)
    this.#isThai = THAI.test(header)
  }

  add(cell: string, line: number): void {
    if (this.#isBuddhist(cell)) this.#era ??= { cell, line }
    const [, year = '', , month = '', day = ''] = SHORT.exec(cell) ?? []
    const isFirst = this.#isLikely(year) && Number(month) <= 12 && Number(day) <= 31
    const isLast = day.length === 2 && this.#isLikely(day)
    if (isFirst && (this.#isKorean || !isLast)) {
      this.#first++
      this.#example ??= { cell, line }
    } else if (isLast && !isFirst) this.#last++
  }

  get areFirst(): boolean {
    return this.#first > 0 && this.#last === 0
  }

  /** The year of a date in full, where its two digits begin it or count from another era. */
  inFull(cell: string, yearFirst: boolean): string {
    if (yearFirst) return cell.replace(SHORT, '20$1-$3-$4')
    return this.#isBuddhist(cell) ? cell.replace(ENDS_SHORT, '$125$3') : cell
  }

  note(): string | undefined {
    if (this.#era !== undefined)
      return `dates such as ${quoted(this.#era.cell)} in line ${this.#era.line} are read as of the Buddhist era`
    if (!this.areFirst || !this.#example) return undefined
    const { cell, line } = this.#example
    return `dates such as ${quoted(cell)} in line ${line} are read with the year first`
  }

  #isBuddhist(cell: string): boolean {
    const year = this.#isThai ? Number(ENDS_SHORT.exec(cell)?.[3] ?? 0) : 0
    return year > BUDDHIST_AHEAD && year <= this.#thisYear + BUDDHIST_AHEAD
  }

  #isLikely(year: string): boolean {
    return Number(year) >= FIRST_YEAR && Number(year) <= this.#thisYear
  }
}
