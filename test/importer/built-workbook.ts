import { strToU8, zipSync } from 'fflate'

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'

interface Parts {
  /** Rows of each sheet, as XML. */
  sheets: Record<string, string>
  hidden?: string[]
  strings?: string[]
  styles?: string
  workbookPr?: string
  /** What every sheet says of its columns, as XML. */
  columns?: string
  /** The external addresses that every sheet's links name, by relationship. */
  addresses?: Record<string, string>
}

/** A workbook with only what its sheets need, as programs write it. */
export function workbook({
  sheets,
  hidden = [],
  strings = [],
  styles = '',
  workbookPr = '',
  columns = '',
  addresses = {},
}: Parts): Uint8Array {
  const names = Object.keys(sheets)
  const list = names.map(
    (name, at) =>
      `<sheet name="${name}" sheetId="${at + 1}" ${hidden.includes(name) ? 'state="hidden" ' : ''}r:id="rId${at + 1}"/>`,
  )
  const relations = names.map(
    (_, at) => `<Relationship Id="rId${at + 1}" Type="…/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
  )
  const files: Record<string, string> = {
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': `<workbook ${MAIN} xmlns:r="…">${workbookPr}<sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relations.join('')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst ${MAIN}>${strings.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    'xl/styles.xml': `<styleSheet ${MAIN}>${styles}</styleSheet>`,
  }
  const links = Object.entries(addresses).map(
    ([id, target]) => `<Relationship Id="${id}" Type="…/hyperlink" Target="${target}" TargetMode="External"/>`,
  )
  for (const [at, name] of names.entries()) {
    files[`xl/worksheets/sheet${at + 1}.xml`] =
      `<worksheet ${MAIN} xmlns:r="…">${columns}<sheetData>${sheets[name]}</sheetData></worksheet>`
    if (links.length > 0)
      files[`xl/worksheets/_rels/sheet${at + 1}.xml.rels`] = `<Relationships>${links.join('')}</Relationships>`
  }
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, xml]) => [name, strToU8(XML + xml)])))
}

export const inline = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
export const row = (...cells: string[]) => `<row>${cells.join('')}</row>`
export const header = row(...['id', 'date', 'author', 'rating', 'text'].map(inline))
export const review = (id: string, text: string) => row(...[id, '2026-01-05', 'Ida', '5', text].map(inline))
