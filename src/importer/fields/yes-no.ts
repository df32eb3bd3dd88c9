const YES = /^(?:true|yes|1|y|t|x|ja|oui|s[ií]|sim)$/i
const NO = /^(?:false|no|0|n|f|nein|non|nee|n[ãa]o|-)$/i

/** Whether a trimmed cell says yes, in the languages of the headings. */
export function isYes(cell: string): boolean {
  return YES.test(cell)
}

/** Whether a trimmed cell says no, in the languages of the headings. */
export function isNo(cell: string): boolean {
  return NO.test(cell)
}
