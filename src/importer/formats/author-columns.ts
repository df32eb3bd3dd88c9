import { isNo, isYes } from '../fields/yes-no.ts'
import type { RawRow } from '../read/table.ts'
import { filledCells } from './column-content.ts'
import { hasName, headerSet } from './header-names.ts'

const ANONYMOUS = headerSet(`
    anonymous | is anonymous | anonymously | post anonymously | anonymous review | is anonymous review | anonymous flag | reviewer is anonymous
    author anonymous | hide name | hide author | name hidden | anonym | anonyme | anonimo | anónimo | anoniem`)

/** The column in which a reviewer asks not to be named. */
export function anonymousColumn(headers: readonly string[], sample: readonly RawRow[]): number | undefined {
  const index = headers.findIndex(
    (header, at) =>
      hasName(header, ANONYMOUS) &&
      filledCells(sample, at).every((cell) => isAnonymous(cell) || isNo(cell) || /^public$/i.test(cell)),
  )
  return index === -1 ? undefined : index
}

/** Whether a cell of that column asks for it. */
export function isAnonymous(cell: string): boolean {
  const said = cell.trim()
  return isYes(said) || /^anonym\p{L}*$/iu.test(said)
}
