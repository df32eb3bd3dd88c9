import { strToU8, zipSync } from 'fflate'
import * as assert from 'uvu/assert'
import { ImporterError } from '../../../../src/importer/importer-error.ts'
import { suite } from '../../../suite.ts'
import { prepare, refusalOf } from '../../prepared.ts'

const test = suite("A workbook's parts")

const TYPE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const TEXTS = ['date', 'text', 'Warm bread.']
const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${TYPE}/${type}" Target="${target}"/>`

/** A workbook's parts by their names, as most programs write them; of one review, its day a number and its text a shared one. */
function parts(): Record<string, string> {
  const cells = '<c r="A2" s="1"><v>46027</v></c><c r="B2" t="s"><v>2</v></c>'
  return {
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': '<workbook><workbookPr/><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `<Relationships>${relation('rId1', 'worksheet', 'worksheets/sheet1.xml')}${relation('rId2', 'sharedStrings', 'sharedStrings.xml')}${relation('rId3', 'styles', 'styles.xml')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst>${TEXTS.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    'xl/styles.xml':
      '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs><dxfs><dxf/></dxfs></styleSheet>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row r="1"><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row><row r="2">${cells}</row></sheetData></worksheet>`,
  }
}

/** @param change gives each part another name or other XML */
function workbook(change: (name: string, xml: string) => [name: string, xml: string | Uint8Array]): Uint8Array {
  const changed = Object.entries(parts()).map(([name, xml]) => change(name, xml))
  return zipSync(Object.fromEntries(changed.map(([name, xml]) => [name, typeof xml === 'string' ? strToU8(xml) : xml])))
}

/** The workbook with a part under another name, and the relationship that says so. */
function moved(from: string, to: string, target: string): Uint8Array {
  const [before, after] = [`Target="${from.replace('xl/', '')}"`, `Target="${target}"`]
  return workbook((name, xml) => [name === from ? to : name, xml.replace(before, after)])
}

async function read(bytes: Uint8Array) {
  const { rows } = await prepare(bytes, {}, 'a.xlsx')
  return rows.map(({ review }) => [review.occurred_at.toISOString().slice(0, 10), review.text])
}

test('are found by its relationships, whatever their names', async () => {
  const [strings, styles, sheet] = ['xl/sharedStrings.xml', 'xl/styles.xml', 'xl/worksheets/sheet1.xml']
  const since1904 = (xml: string) =>
    xml
      .replace('<workbookPr/>', '<workbookPr date1904="1"/>')
      .replace('46027', '44565')
      .replace('"styles.xml"', '"s.xml"')
  const workbooks: Record<string, Uint8Array> = {
    'as most are': workbook((name, xml) => [name, xml]),
    'texts elsewhere': moved(strings, 'xl/texts/all.xml', 'texts/all.xml'),
    'texts from the root': moved(strings, 'shared/strings.xml', '/shared/strings.xml'),
    'a folder up': moved(sheet, 'sheets/one.xml', '../sheets/./one.xml'),
    'styles, days since 1904': workbook((name, xml) => [name === styles ? 'xl/s.xml' : name, since1904(xml)]),
    'another case': moved(strings, 'xl/SharedStrings.xml', 'sharedStrings.xml'),
    'a space': moved(sheet, 'xl/worksheets/my sheet.xml', 'worksheets/my%20sheet.xml'),
    'slashes of Windows': workbook((name, xml) => [
      name.replaceAll('/', '\\'),
      xml.replace('worksheets/', 'worksheets\\'),
    ]),
    'slashes before': workbook((name, xml) => [`/${name}`, xml]),
    'another workbook': workbook((name, xml) => [name.replace('workbook.xml', 'workbook2.xml'), xml]),
    'no folder': workbook((name, xml) => [name.replace('xl/', ''), xml]),
    'UTF-16': workbook((name, xml) => [name, Buffer.from(`\ufeff${xml}`, 'utf16le')]),
  }
  for (const [name, bytes] of Object.entries(workbooks))
    assert.equal(await read(bytes), [['2026-01-05', 'Warm bread.']], name)
})

test('may be in the encoding that they name', async () => {
  const bytes = workbook((name, xml) => [
    name,
    Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${xml.replace('Warm bread', 'Crème brûlée')}`, 'latin1'),
  ])
  assert.equal(await read(bytes), [['2026-01-05', 'Crème brûlée.']])
})

test('that are missing or break off make the workbook a damaged one', async () => {
  const without = (part: string) => {
    const { [part]: _, ...rest } = parts()
    return zipSync(Object.fromEntries(Object.entries(rest).map(([name, xml]) => [name, strToU8(xml)])))
  }
  const cut = (part: string, at: (xml: string) => number) =>
    workbook((name, xml) => [name, name.endsWith(part) ? xml.slice(0, at(xml)) : xml])
  const secondSheet = (name: string, xml: string): [string, string] => [
    name,
    xml.replace('</sheets>', '<sheet name="T" sheetId="2" r:id="rId9"/></sheets>'),
  ]
  const workbooks: Record<string, Uint8Array> = {
    'no texts': without('xl/sharedStrings.xml'),
    'no relationships': without('xl/_rels/workbook.xml.rels'),
    'a sheet less': workbook(secondSheet),
    'a row less': cut('sheet1.xml', (xml) => xml.indexOf('<row r="2">')),
    'half a row': cut('sheet1.xml', (xml) => xml.indexOf('<c r="B2"') + 5),
    'an empty sheet': cut('sheet1.xml', () => 0),
    'a text less': cut('sharedStrings.xml', (xml) => xml.lastIndexOf('<si>')),
  }
  for (const [name, bytes] of Object.entries(workbooks))
    assert.is(await refusalOf(() => read(bytes)), 'bad_archive', name)
})

test('that nest elements without end are refused for it, before they are read to their end, which took minutes', async () => {
  const bytes = workbook((name, xml) => [name, name.endsWith('sheet1.xml') ? '<a>'.repeat(300_000) : xml])
  const error = await read(bytes).then(
    () => undefined,
    (error: unknown) => error,
  )
  assert.instance(error, ImporterError)
  assert.match(String(error), /has elements nested more than 100 deep: the workbook is damaged/)
})

test.run()
