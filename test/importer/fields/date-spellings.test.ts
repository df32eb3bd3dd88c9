import * as assert from 'uvu/assert'
import { parseDate } from '../../../src/importer/fields/date.ts'
import { suite } from '../../suite.ts'

const test = suite('dates as programs and countries write them')

const MIDNIGHT = '2026-01-05T00:00:00.000Z'
const TEN = '2026-01-05T10:00:00.000Z'
const READ: [string, string][] = [
  ['2026, 1, 5', MIDNIGHT],
  ['2026, 1, 5, 10, 0', TEN],
  ['2026, 1, 5, 10, 0, 9, 500000000', '2026-01-05T10:00:09.000Z'],
  ['2026-01-05T11:00+01:00[Europe/Berlin]', TEN],
  ['2026-01-05T10:00:00Z[UTC]', TEN],
  ['Mon Jan  5 10:00:00 2026', TEN],
  ['2026年1月5日月曜日', MIDNIGHT],
  ['2026年1月5日(月)', MIDNIGHT],
  ['2026年1月5日 星期一', MIDNIGHT],
  ['2026/01/05(月)', MIDNIGHT],
  ['2026/1/5(月) 10:00', TEN],
  ['2026.1.5.', MIDNIGHT],
  ['Recensito negli Stati Uniti il \u200b\u200b5 gennaio 2026', MIDNIGHT],
  ['Kommentiert in Deutschland am 5. Januar 2026', MIDNIGHT],
  ['2026년 1월 5일 월요일', MIDNIGHT],
  ['2026. 1. 5. 오전 10:00', TEN],
  ['2026. 1. 5. PM 10:00:00', '2026-01-05T22:00:00.000Z'],
  ['2026/1/5 下午10:00', '2026-01-05T22:00:00.000Z'],
  ['2026年1月5日 上午10:00', TEN],
  ['2026年1月5日 午後10:00', '2026-01-05T22:00:00.000Z'],
  ['5. 1. 2026 10:00:00', TEN],
  ['05.01.2026. 10:00', TEN],
  ['5.1.2026 klo 10.00', TEN],
  ['5.1.2026, 10.00.00', TEN],
  ['10:00:00 1/5/2026', TEN],
  ['Thứ Hai, 5 tháng 1, 2026', MIDNIGHT],
  ['mandag den 5. januar 2026', MIDNIGHT],
  ['segunda-feira, 5 de janeiro de 2026', MIDNIGHT],
  ['2026. január 5., hétfő', MIDNIGHT],
  ['5 янв. 2026 г., 10:00', TEN],
  ['05.01.2026 г., 10:00:00 ч.', TEN],
  ['5 sty 2026, 10:00', TEN],
  ['5 Oca 2026 10:00', TEN],
  ['5. jaanuar 2026', MIDNIGHT],
  ['5. januára 2026', MIDNIGHT],
  ['5 בינואר 2026', MIDNIGHT],
  ['٥ يناير ٢٠٢٦', MIDNIGHT],
  ['٥\u200f/٠١\u200f/٢٠٢٦، ١٠:٠٠:٠٠ م', '2026-05-01T22:00:00.000Z'],
  ['5 Ιαν 2026, 10:00 μ.μ.', '2026-01-05T22:00:00.000Z'],
  ['2026-01-05 10 h 00 min 00 s', TEN],
  ['5 Jan 2026, 10:00 PTG', '2026-01-05T22:00:00.000Z'],
]
/** The months of a year, by languages in which a short name begins a longer one. */
const YEARS = [
  'stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia',
  'sty lut mar kwi maj cze lip sie wrz paź lis gru',
  'ledna února března dubna května června července srpna září října listopadu prosince',
  'Oca Şub Mar Nis May Haz Tem Ağu Eyl Eki Kas Ara',
  'янв февр мар апр мая июн июл авг сент окт нояб дек',
  'січ лют бер квіт трав черв лип серп вер жовт лист груд',
  'janv févr mars avr mai juin juill août sept oct nov déc',
  'ian feb mar apr mai iun iul aug sept oct nov dec',
]
for (const year of YEARS)
  test(`each month is known: ${year}`, () => {
    for (const [index, month] of year.split(' ').entries()) {
      const parsed = parseDate(`5 ${month} 2026`)
      assert.is(parsed.ok && parsed.value.getUTCMonth(), index, month)
    }
  })

for (const [cell, expected] of READ)
  test(`"${cell}" is ${expected}`, () => {
    const parsed = parseDate(cell)
    assert.is(parsed.ok ? parsed.value.toISOString() : parsed.message, expected)
  })

for (const cell of [
  '2026, 13, 5',
  '2026, 1, 5, 25, 0',
  '2026, 1, 5, 10',
  '26. 1. 5. PM 10:00',
  '۱۴۰۴/۱۱/۱۱',
  '5/1/2569',
  '2026-01-05T10:00:00[Europe/Berlin',
  '10:00',
  '5. 1. 26',
])
  test(`"${cell}" is no date`, () => {
    assert.not(parseDate(cell).ok)
  })

test.run()
