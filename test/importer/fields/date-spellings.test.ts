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
  ['2026年1月5日 午前0:30', '2026-01-05T00:30:00.000Z'],
  ['2026/1/5 午後0:30', '2026-01-05T12:30:00.000Z'],
  ['5 Jan 2026, 0:30 am', '2026-01-05T00:30:00.000Z'],
  ['5 ม.ค. 2569 10:00 น.', TEN],
  ['5.1.2569 10.00 น.', TEN],
  ['5 जन॰ 2026', MIDNIGHT],
  ['सोमवार, 5 जनवरी 2026 को 10:00 am बजे', TEN],
  ['lúc 10:00 Thứ Hai, 5 tháng 1, 2026', TEN],
  ['۱۵ دی ۱۴۰۴ ساعت ۱۰:۰۰', TEN],
  ['۱۵ دی ۱۴۰۴، ۱۰:۰۰ ق.ظ.', TEN],
  ['Mon Jan  5 10:00:00 2026', TEN],
  ['2026年1月5日月曜日', MIDNIGHT],
  ['2026年1月5日(月)', MIDNIGHT],
  ['2026年1月5日 星期一', MIDNIGHT],
  ['2026/01/05(月)', MIDNIGHT],
  ['2026.01.05 發表', MIDNIGHT],
  ['2026年1月5日に投稿', MIDNIGHT],
  ['2026.01.05 更新', MIDNIGHT],
  ['1/5/2026\nUpdated review', MIDNIGHT],
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
  ['5 كانون الثاني 2026', MIDNIGHT],
  ['5 كانون ثاني 2026', MIDNIGHT],
  ['5 تشرين الأول 2026', '2026-10-05T00:00:00.000Z'],
  ['5 كانون الاول 2026', '2026-12-05T00:00:00.000Z'],
  ['5 ابريل 2026', '2026-04-05T00:00:00.000Z'],
  ['05.01.2026 r.', MIDNIGHT],
  ['٥\u200f/٠١\u200f/٢٠٢٦، ١٠:٠٠:٠٠ م', '2026-05-01T22:00:00.000Z'],
  ['5\u200f/01\u200f/2026، 10:00:00 م', '2026-05-01T22:00:00.000Z'],
  ['5 يناير 2026 في 10:00 ص', TEN],
  ['5 Ιαν 2026, 10:00 μ.μ.', '2026-01-05T22:00:00.000Z'],
  ['5 Ιανουαρίου 2026 στις 10:00 μ.μ.', '2026-01-05T22:00:00.000Z'],
  ['5 januari 2026 kl. 10:00', TEN],
  ['5 ianuarie 2026 la 10:00', TEN],
  ['5. siječnja 2026. u 10:00', TEN],
  ['5. januar 2026 ob 10:00', TEN],
  ['5. jaanuar 2026, kell 10:00', TEN],
  ['5 de gener del 2026, a les 10:00', TEN],
  ['5 Januari 2026 pukul 10.00', TEN],
  ['5 Januari 2026 pada 10:00 PTG', '2026-01-05T22:00:00.000Z'],
  ['5 มกราคม 2569 เวลา 10:00', TEN],
  ['lúc 10:00 5 tháng 1, 2026', TEN],
  ['5 בינו׳ 2026, 10:00', TEN],
  ['5 בינואר 2026 בשעה 10:00', TEN],
  ['2026. január 5., hétfő 10:00', TEN],
  ['5 Ocak 2026 Pazartesi 10:00', TEN],
  ['05.01.26 г., 10:00', TEN],
  ['понедељак, 5. јануар 2026. 10:00', TEN],
  ['2026 m. sausio 5 d., pirmadienis 10:00', TEN],
  ['pirmdiena, 2026. gada 5. janvāris 10:00', TEN],
  ['2026-01-05 10 h 00 min 00 s', TEN],
  ['2569-01-05', MIDNIGHT],
  ['5 มกราคม 2569', MIDNIGHT],
  ['วันที่ ๕ ม.ค. ๒๕๖๙', MIDNIGHT],
  ['5 ม.ค. 69', MIDNIGHT],
  ['5 มกราคม พ.ศ. 2569', MIDNIGHT],
  ['115/01/05', MIDNIGHT],
  ['115.1.5', MIDNIGHT],
  ['民國115年1月5日', MIDNIGHT],
  ['令和8年1月5日', MIDNIGHT],
  ['R8.1.5', MIDNIGHT],
  ['平成元年1月8日', '1989-01-08T00:00:00.000Z'],
  ['1404/10/15', MIDNIGHT],
  ['۱۴۰۴/۱۰/۱۵', MIDNIGHT],
  ['15 دی 1404', MIDNIGHT],
  ['1403/12/30', '2025-03-20T00:00:00.000Z'],
  ['5 जनवरी 2026', MIDNIGHT],
  ['५ फरवरी २०२६', '2026-02-05T00:00:00.000Z'],
  ['2026 m. sausio 5 d.', MIDNIGHT],
  ['2026. gada 5. janvāris', MIDNIGHT],
  ['5 d’abril de 2026', '2026-04-05T00:00:00.000Z'],
  ['26년 1월 5일', MIDNIGHT],
  ['ngày 5 tháng 1 năm 2026', MIDNIGHT],
  ['ה-5 בינואר 2026', MIDNIGHT],
  ['5 يناير، 2026', MIDNIGHT],
  ['5 января 2026 г. в 10:00', TEN],
  ['5 enero 2026 a las 10:00', TEN],
  ['/Date(1767607200000+0100)/', TEN],
  ['20260105100000', TEN],
  ['05JAN2026', MIDNIGHT],
  ['2026-Jan-05 10:00', TEN],
  ['Dined on January 5, 2026', MIDNIGHT],
  ['Avis du 05.01.2026, suite à une expérience du 01.01.2026', MIDNIGHT],
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
  'јануар фебруар март април мај јун јул август септембар октобар новембар децембар',
  'בינו׳ בפבר׳ במרץ באפר׳ במאי ביוני ביולי באוג׳ בספט׳ באוק׳ בנוב׳ בדצמ׳',
  'يناير فبراير مارس أبريل ماي يونيو يوليوز غشت شتنبر أكتوبر نونبر دجنبر',
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
  '2026-01-05T10:00:00[Europe/Berlin',
  '10:00',
  '5. 1. 26',
])
  test(`"${cell}" is no date`, () => {
    assert.not(parseDate(cell).ok)
  })

test('a day that its calendar does not have is refused, and a slash keeps its two orders in any calendar', () => {
  for (const cell of ['1404/12/30', '1404/13/01', '115/02/30', '20261301100000'])
    assert.not.ok(parseDate(cell).ok, cell)
  const [month, day] = [parseDate('1/2/2569'), parseDate('1/2/2569', true)]
  assert.is(month.ok && month.value.toISOString(), '2026-01-02T00:00:00.000Z')
  assert.is(day.ok && day.value.toISOString(), '2026-02-01T00:00:00.000Z')
  assert.is(parseDate('15/2/2569').slash, 'only-day-first')
})

test.run()
