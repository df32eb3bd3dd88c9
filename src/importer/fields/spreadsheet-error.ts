/** What a formula shows that nobody has worked out: Excel's own word for it, and ours for formulas that have no value in the file. */
export const UNCALCULATED = '#CALC!'

/** Whether a cell holds what a spreadsheet writes where a formula failed; `Err:509` is LibreOffice's. */
export function isSpreadsheetError(cell: string): boolean {
  return ERROR.test(cell)
}

const ERROR = /^(?:#(?:NAME\?|VALUE!|REF!|N\/A|DIV\/0!|NUM!|NULL!|ERROR!|SPILL!|CALC!)|Err:\d{3})$/i
