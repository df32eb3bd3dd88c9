const YES = /^(?:true|yes|1|y|t|x|ja|oui|s[ií]|sim)$/i
const NO = /^(?:false|no|0|n|f|nein|non|nee|n[ãa]o|-)$/i

/** What spreadsheets make of true, by the language that they are set to; with accents, and without, as words are compared. */
export const SPREADSHEET_TRUE: ReadonlySet<string> =
  wordsOf(`wahr vrai verdadero vero waar verdadeiro prawda pravda sant sand sann tosi
  doğru dogru igaz adevărat adevarat истина істина αληθης αληθησ`)
/** And of false. */
export const SPREADSHEET_FALSE: ReadonlySet<string> =
  wordsOf(`falsch faux falso onwaar fałsz nepravda falskt falsk usann epätosi
  epatosi yanlış yanliş yanlis hamis fals ложь хибність ψευδης ψευδησ`)

/** Whether a trimmed cell says yes, in the languages of the headings, or true in a spreadsheet's. */
export function isYes(cell: string): boolean {
  return YES.test(cell) || SPREADSHEET_TRUE.has(cell.toLowerCase())
}

/** Whether a trimmed cell says no, in the languages of the headings, or false in a spreadsheet's. */
export function isNo(cell: string): boolean {
  return NO.test(cell) || SPREADSHEET_FALSE.has(cell.toLowerCase())
}

function wordsOf(list: string): Set<string> {
  return new Set(list.split(/\s+/))
}
