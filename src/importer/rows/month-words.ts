import { normalizeWord } from '../fields/short-cell.ts'
import { quoted } from '../quoted.ts'

/** Month names that differ in meaning between Polish and Croatian, with the Croatian one. */
const OF_BOTH = new Map([
  ['lip', 'June'],
  ['lis', 'October'],
  ['listopad', 'October'],
  ['listopada', 'October'],
])
const setOf = (words: string) => new Set(words.split(/\s+/))
const CROATIAN = setOf(
  `sij sijecanj sijecnja velj veljaca veljace ozu ozujak ozujka tra travanj travnja svi svibanj svibnja lipanj lipnja
  srpanj srpnja kol kolovoz kolovoza ruj rujan rujna stu studeni studenoga studenog prosinac prosinca`,
)
/** Polish month names, and Czech ones, whose abbreviation of November is the same. */
const POLISH = setOf(
  `sty styczen stycznia lut luty lutego marzec marca kwi kwiecien kwietnia maja cze czerwiec czerwca lipiec lipca
  sie sierpien sierpnia wrz wrzesien wrzesnia paz pazdziernik pazdziernika gru grudzien grudnia
  ledna unora brezna dubna kvetna cervna cervence srpna zari rijna listopadu prosince`,
)
const WORD = /\p{L}{3,12}/gu

/** Infers whether `lip`, `lis` and `listopada` are Polish (July, November) or Croatian (June, October). */
export class MonthWords {
  readonly #rows = { both: 0, croatian: 0, polish: 0 }
  #first: { cell: string; line: number } | undefined

  add(cell: string, line: number): void {
    for (const written of cell.match(WORD) ?? []) {
      const word = normalizeWord(written)
      if (OF_BOTH.has(word)) {
        this.#rows.both++
        this.#first ??= { cell, line }
      } else if (CROATIAN.has(word)) this.#rows.croatian++
      else if (POLISH.has(word)) this.#rows.polish++
    }
  }

  get areCroatian(): boolean {
    return this.#rows.croatian > 0 && this.#rows.polish === 0
  }

  /** A note when nothing in the file tells which they are. */
  note(): string | undefined {
    const { both, croatian, polish } = this.#rows
    if (!this.#first || croatian > 0 !== polish > 0) return undefined
    const rows = both === 1 ? '1 row has a month name' : `${both} rows have month names`
    return `${rows} with a different meaning in Croatian than in Polish (${quoted(this.#first.cell)} in line ${this.#first.line}), read as Polish: if the file is Croatian, write its dates as 2026-01-31 before you import it`
  }
}

/** Replaces such a month by its Croatian meaning. */
export function withCroatianMonth(cell: string): string {
  return cell.replace(WORD, (word) => OF_BOTH.get(normalizeWord(word)) ?? word)
}
