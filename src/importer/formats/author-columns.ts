import { normalizeHeader } from '../read/headers.ts'
import type { RawRow } from '../read/table.ts'
import { filledCells } from './column-content.ts'
import { headerNames } from './header-names.ts'

const ANONYMOUS = new Set(
  (
    'anonymous | is anonymous | anonymously | post anonymously | anonymous review | is anonymous review | anonymous flag | reviewer is anonymous | ' +
    'author anonymous | hide name | hide author | name hidden | anonym | anonyme | anonimo | anónimo | anoniem'
  )
    .split('|')
    .map(normalizeHeader),
)
const YES = /^(?:true|yes|1|y|t|x|ja|oui|s[ií]|sim|anonym\p{L}*)$/iu
const YES_OR_NO = /^(?:true|yes|1|y|t|x|ja|oui|s[ií]|sim|anonym\p{L}*|false|no|0|n|f|nein|non|nee|n[ãa]o|public|-)$/iu

/** The column in which a reviewer asks not to be named. */
export function anonymousColumn(headers: readonly string[], sample: readonly RawRow[]): number | undefined {
  const index = headers.findIndex(
    (header, at) =>
      headerNames(header).some((name) => ANONYMOUS.has(name)) &&
      filledCells(sample, at).every((cell) => YES_OR_NO.test(cell)),
  )
  return index === -1 ? undefined : index
}

/** Whether a cell of that column asks for it. */
export function isAnonymous(cell: string): boolean {
  return YES.test(cell.trim())
}
