import { quoted } from '../quoted.ts'
import { normalizeHeader } from '../read/headers.ts'
import type { RawRow } from '../read/table.ts'
import { filledCells } from './column-content.ts'
import { hasName, headerNames, headerSet } from './header-names.ts'

/** Not "location" and "company", which are often the reviewer's. */
const PLACE = headerSet(`
    place | place name | business | business name | location name | hotel | hotel name | restaurant | restaurant name | store name | shop name | branch | branch name | listing name | property name | venue | venue name
    filiale | standort | établissement | nom de l'établissement | nombre del lugar | lugar | establecimiento | sucursal | sede | nome del luogo | nome do lugar | estabelecimento
    filiaal | vestiging | oddział | филиал | название места | название заведения | şube | şube adı | mekan | mekan adı | nama tempat | 店名 | 店舗名 | 店铺名 | 商家名称 | 매장명 | 가게명 | 병원명`)
const KEY =
  /^(?:restaurant|hotel|place|business|store|shop|venue|propert(?:y|ies)|listing|branch|location|company|app|product)(?:url|link|href|page|id|slug|alias)$/
const FEWEST_REPEATS = 3
const SHOWN = 3

/** Whether a bare "name" is that of a place: beside coordinates, or if it changes with the place's address or id. */
export function isNameOfPlace(headers: readonly string[], sample: readonly RawRow[], index: number): boolean {
  if (!/^(?:name|nombre|nom|nome|naam|nama)$/i.test(headers[index] ?? '')) return false
  const has = (pattern: RegExp) => headers.some((header) => headerNames(header).some((name) => pattern.test(name)))
  if (has(/^(?:.*latitude|lat)$/) && has(/^(?:.*longitude|lng|lon|long)$/)) return true
  return headers.some((header, key) => key !== index && KEY.test(normalizeHeader(header)) && isSame(sample, index, key))
}

/** Whether two columns have the same number of values, of which each goes with one of the other, again and again. */
function isSame(sample: readonly RawRow[], one: number, other: number): boolean {
  const pairs = sample.flatMap((row) => {
    const [a, b] = [row.cells[one]?.trim(), row.cells[other]?.trim()]
    return a && b ? [[a, b] as const] : []
  })
  const byOne = new Map(pairs)
  const byOther = new Map(pairs.map(([a, b]) => [b, a]))
  const repeats = pairs.length - byOne.size
  return repeats >= FEWEST_REPEATS && pairs.every(([a, b]) => byOne.get(a) === b && byOther.get(b) === a)
}

/** A note that a file has reviews of several places, where no column that tells them apart is kept. */
export function severalPlaces(
  headers: readonly string[],
  sample: readonly RawRow[],
  isFree: (index: number) => boolean,
): string | undefined {
  for (const [index, header] of headers.entries()) {
    if (!isFree(index) || !(hasName(header, PLACE) || isNameOfPlace(headers, sample, index))) continue
    const names = [...new Set(filledCells(sample, index))]
    if (names.length < 2) continue
    const first = names.slice(0, SHOWN).map(quoted).join(', ')
    return `"${header}" names several (${first}${names.length > SHOWN ? ', …' : ''}): the reviews of all come into this project (--metadata ${JSON.stringify(header)} keeps the name, by which pages can choose)`
  }
  return undefined
}
