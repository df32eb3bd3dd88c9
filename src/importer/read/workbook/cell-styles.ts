import { parseXml } from '../xml/xml.ts'

/** How a style displays a number: `day` is a date without its year; for `00000`, `digits` is 5. */
export type CellStyle = 'date' | 'day' | 'percent' | 'number' | { digits: number }

/** ECMA-376, 18.8.30: the built-in formats that are dates or times, East Asian ones included. */
const DATE_FORMATS = /^(?:1[4-9]|2[0-2]|2[7-9]|3[0-6]|4[57]|5[0-8])$/
const DAY_FORMAT = '16'
const PERCENT_FORMATS = /^(?:9|10)$/

/** `mmm-d`; `e` is the year of an era. */
const DAY_AND_MONTH = /^(?=.*d)(?=.*m)[^yeghs]*$/i

/** How each cell style of `styles.xml` displays a number, by index. */
export function cellStyles(file: string, xml: Uint8Array): CellStyle[] {
  const custom = new Map<string, CellStyle>()
  const styles: CellStyle[] = []
  let isOfCells = false
  parseXml(file, xml, {
    open: (name, { numFmtId = '', formatCode = '' }) => {
      if (name === 'numFmt') custom.set(numFmtId, styleOfCode(formatCode))
      if (name === 'cellXfs') isOfCells = true
      if (name === 'xf' && isOfCells) styles.push(custom.get(numFmtId) ?? builtIn(numFmtId))
    },
    close: (name) => {
      if (name === 'cellXfs') isOfCells = false
    },
  })
  return styles
}

function builtIn(id: string): CellStyle {
  if (id === DAY_FORMAT) return 'day'
  return DATE_FORMATS.test(id) ? 'date' : PERCENT_FORMATS.test(id) ? 'percent' : 'number'
}

/** A date format has a day, month or year outside quoted text, colours and escapes; `[h]:mm` is a duration. */
function styleOfCode(code: string): CellStyle {
  // Shorter formats are for clock times and ratings, where leading zeros carry no information.
  if (/^0{3,15}$/.test(code)) return { digits: code.length }
  const signs = code.replace(/"[^"]*"|\\.|_.|\*./g, '')
  // From the last of several opening brackets: from each of them, a run of brackets would take hours.
  const plain = signs.replace(/\[[^[\]]*\]/g, '')
  if (!/\[(?:h+|m+|s+)\]/i.test(signs) && /[dmy]/i.test(plain)) return DAY_AND_MONTH.test(plain) ? 'day' : 'date'
  return signs.includes('%') ? 'percent' : 'number'
}
