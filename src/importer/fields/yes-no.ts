import { normalizeWord } from './short-cell.ts'

const YES = /^(?:true|yes|1|y|t|x|ja|oui|s[iíì]|sim|[✓✔☑✅]\ufe0f?)$/iu
const NO = /^(?:false|no|0|n|f|nein|non|nee|n[ãa]o|-|[✗✘☒❌☐]\ufe0f?)$/iu

/** Further words, and spreadsheets' localized TRUE; as written and normalized. */
const FOREIGN_YES =
  wordsOf(`да так tak ano igen evet ναι kyllä có نعم כן ใช่ はい 是 예 네 wahr vrai verdadero vero waar verdadeiro prawda pravda sant sand sann tosi
  doğru igaz adevărat истина істина αληθης αληθησ`)
/** The same for no and FALSE. */
const FOREIGN_NO =
  wordsOf(`нет ні nie ne nem hayır όχι nej nei ei tidak không لا לא ไม่ いいえ 否 아니오 아니요 falsch faux falso onwaar fałsz nepravda falskt falsk usann epätosi
  yanlış yanliş hamis fals ложь хибність ψευδης ψευδησ`)

/** Whether a trimmed cell means yes in the languages of the headers, or a spreadsheet's true. */
export function isYes(cell: string): boolean {
  return YES.test(cell) || FOREIGN_YES.has(cell.toLowerCase())
}

/** Whether a trimmed cell means no in the languages of the headers, or a spreadsheet's false. */
export function isNo(cell: string): boolean {
  return NO.test(cell) || FOREIGN_NO.has(cell.toLowerCase())
}

/** Whether a whole cell is a yes, or what Airtable and Gravity Forms write for a ticked box; among other words "checked" is none. */
export function isTicked(cell: string): boolean {
  return isYes(cell) || /^checked$/i.test(cell)
}

/** Whether a whole cell is a no, or says that a box is not ticked. */
export function isUnticked(cell: string): boolean {
  return isNo(cell) || /^unchecked$/i.test(cell)
}

function wordsOf(list: string): Set<string> {
  return new Set(list.split(/\s+/).flatMap((word) => [word, normalizeWord(word)]))
}
