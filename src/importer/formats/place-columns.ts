import { quoted } from '../quoted.ts'
import type { RawRow } from '../read/table.ts'
import { filledCells } from './column-content.ts'
import { hasName, headerSet } from './header-names.ts'

/** Not "location" and "company", which are often the reviewer's. */
const PLACE = headerSet(`
    place | place name | business | business name | location name | hotel | hotel name | restaurant | restaurant name | store name | shop name | branch | branch name | listing name | property name
    filiale | standort | établissement | nom de l'établissement | nombre del lugar | lugar | establecimiento | sucursal | sede | nome del luogo | nome do lugar | estabelecimento
    filiaal | vestiging | oddział | филиал | название места | название заведения | şube | şube adı | mekan | mekan adı | nama tempat | 店名 | 店舗名 | 店铺名 | 商家名称 | 매장명 | 가게명 | 병원명`)
const SHOWN = 3

/** A note that a file has reviews of several places, where no column that tells them apart is kept. */
export function severalPlaces(
  headers: readonly string[],
  sample: readonly RawRow[],
  isFree: (index: number) => boolean,
): string | undefined {
  for (const [index, header] of headers.entries()) {
    if (!hasName(header, PLACE) || !isFree(index)) continue
    const names = [...new Set(filledCells(sample, index))]
    if (names.length < 2) continue
    const first = names.slice(0, SHOWN).map(quoted).join(', ')
    return `"${header}" names several (${first}${names.length > SHOWN ? ', …' : ''}): the reviews of all come into this project (--metadata ${JSON.stringify(header)} keeps the name, by which pages can choose)`
  }
  return undefined
}
