import { quoted } from '../quoted.ts'

/** `24.03.05`, `24. 3. 5.`, `24-03-05`, `24.3.5.화`: the year is first or last. */
const SHORT = /^(\d{2})([./-]) ?(\d{1,2})\2 ?(\d{1,2})(?:\.(?!\d))? ?(?:\(?[월화수목금토일](?:요일)?\)?)?(?=$|[ ,T])/
const KOREAN = /\p{Script=Hangul}/u
/** Earlier, businesses had no reviews to export. */
const FIRST_YEAR = 5

/** Infers whether dates with a year of two digits begin with it, as in Korea, from the years of both readings. */
export class ShortYears {
  readonly #isKorean: boolean
  readonly #thisYear = new Date().getUTCFullYear() % 100
  #first = 0
  #last = 0
  #example: { cell: string; line: number } | undefined

  /** @param header the header of the dates */
  constructor(header: string) {
    this.#isKorean = KOREAN.test(header)
  }

  add(cell: string, line: number): void {
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

  note(): string | undefined {
    if (!this.areFirst || !this.#example) return undefined
    const { cell, line } = this.#example
    return `dates such as ${quoted(cell)} in line ${line} are read with the year first`
  }

  #isLikely(year: string): boolean {
    return Number(year) >= FIRST_YEAR && Number(year) <= this.#thisYear
  }
}

/** Writes the year of such a date in full. */
export function withFullYear(cell: string): string {
  return cell.replace(SHORT, '20$1-$3-$4')
}
