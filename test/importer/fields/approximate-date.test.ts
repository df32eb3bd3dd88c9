import * as assert from 'uvu/assert'
import { approximateDate, isAgo, isApproximateDate } from '../../../src/importer/fields/approximate-date.ts'
import { suite } from '../../suite.ts'

const test = suite('dates that name no day')

/** The end of a month, so that other months have no such day. */
const asOf = new Date('2026-10-31')
const dayOf = (cell: string) => {
  const date = approximateDate(cell, asOf)
  return date === undefined ? 'none' : date.ok ? date.value.toISOString().slice(0, 10) : date.message
}

const COUNTED: [day: string, ...cells: string[]][] = [
  [
    '2026-10-31',
    'today',
    'just now',
    '2 hours ago',
    '59 minutes ago',
    'vor 3 Stunden',
    'hace un minuto',
    "un'ora fa",
    'oggi',
    '3 時間前',
    '오늘',
    'Сегодня, 14:05',
    'сегодня, отредактирован',
    'dzisiaj o 14:05',
    'σήμερα',
    '3 órával ezelőtt',
  ],
  [
    '2026-10-30',
    'yesterday',
    'a day ago',
    '24 hours ago',
    '47 hours ago',
    '1d ago',
    'gestern',
    'hier',
    'il y a un jour',
    'wczoraj',
    '昨日',
    '어제',
    'dün',
    'вчера',
    'Вчера в 10:00',
    '昨天 10:20',
    'χθες',
    'včera',
    'tegnap',
  ],
  [
    '2026-10-28',
    '3 days ago',
    '3 days ago (edited)',
    'vor 3 Tagen (bearbeitet)',
    'il y a 3 jours (modifié)',
    'hace 3 días (editado)',
    '3 дня назад (изменено)',
    '3日前',
    '3 天前',
    'vor 3 Tagen',
    'há 3 dias',
    'πριν από 3 ημέρες',
    'před 3 dny',
    'pred 3 dňami',
    '3 napja',
    'acum 3 zile',
    '3 dias atrás',
    'for 3 dage siden',
    '3 gün önce',
  ],
  [
    '2026-10-24',
    'a week ago',
    'last week',
    'vor einer Woche',
    'hace una semana',
    'seminggu lalu',
    'tydzień temu',
    'неделю назад',
    'před týdnem',
    'acum o săptămână',
    'πριν από μία εβδομάδα',
    'לפני שבוע',
  ],
  [
    '2026-10-17',
    '2  weeks ago',
    '2 wk ago',
    'il y a 2 semaines',
    '2 週間前',
    '2주 전',
    'לפני שבועיים',
    '2 tuần trước',
    '2 tygodnie temu',
  ],
  [
    '2026-09-30',
    'a month ago',
    'one month ago',
    'Edited a month ago',
    'a month ago on Google',
    'vor einem Monat auf Google',
    'il y a un mois sur Google',
    'hace un mes en Google',
    'un mese fa su Google',
    'een maand geleden op Google',
    'um mês atrás',
    'sebulan lalu',
    'kuukausi sitten',
  ],
  [
    '2026-08-31',
    '2 months ago',
    '2 mo. ago',
    'Bearbeitet: vor 2 Monaten',
    'قبل شهرين',
    '2 miesiące temu',
    '2 か月前',
    '2ヶ月前',
    '2개월 전',
    '2 เดือนที่แล้ว',
  ],
  [
    '2026-02-28',
    '8 months ago',
    'hace 8 meses',
    'il y a 8 mois',
    '8 mesi fa',
    '8 maanden geleden',
    '8 månader sedan',
    '8 місяців тому',
    '8 თვის წინ',
    '8 माह पहले',
    '८ माह पहले',
    'قبل ٨ أشهر',
  ],
  [
    '2025-10-31',
    'a year ago',
    'vor 1 Jahr',
    'hace un año',
    'il y a un an',
    'un anno fa',
    'een jaar geleden',
    'setahun lalu',
    'bir yıl önce',
    'rok temu',
    'год назад',
    '1 年前',
  ],
  [
    '2024-03-01',
    'March 2024',
    'Mar, 2024',
    'marzo de 2024',
    'Stayed in March 2024',
    'Date of stay: March 2024',
    'Date of stay:March 2024',
    'Travelled March 2024',
    'Traveled in March 2024',
    ' 2024-03 ',
    '2024年3月',
    '2024년 3월',
    ' 03/2024 ',
  ],
  ['2024-12-01', 'December 2024', '2024-12', '12/2024'],
  ['1990-01-01', 'January 1990', '1990-01', '1/1990'],
]

test('a day without its year is the last such one', () => {
  for (const [cell, day] of [
    ['18 ноября, 19:35', '2025-11-18'],
    ['5 марта 09:00', '2026-03-05'],
    ['31 октября, 10:00', '2026-10-31'],
    ['Verfasst am 1. November', '2025-11-01'],
    ['Publicada el 3 de mayo', '2026-05-03'],
    ['Posted: March 1', '2026-03-01'],
    ['March 24 at 10:15 AM', '2026-03-24'],
    ['Posted: 29 February', '2024-02-29'],
    ['12月17日 21:20', '2025-12-17'],
    ['3월 5일 09:00', '2026-03-05'],
    ['2.14.토', '2026-02-14'],
    ['12. 27. (토)', '2025-12-27'],
  ] as const)
    assert.is(dayOf(cell), day, cell)
  for (const cell of [
    'March 24',
    'Dec 23',
    '31 февраля, 10:00',
    'Posted: 0 May',
    '5 марта',
    '12月17日',
    '17 loaves',
    'May',
    '13月1日 10:00',
    'Rooms: 12',
    'Rooms: 12 loaves',
    '2.14',
    '2.30.월',
  ])
    assert.is(dayOf(cell), 'none', cell)
})

test('a day of the week that the last such day was not says that the file was made in another year', () => {
  const refused = approximateDate('2.13.토', asOf)
  assert.match(refused?.ok === false ? refused.message : '', /was another day of the week in 2026: give the day/)
})

test('how long ago is counted back from the day of the file, a month alone is its first day', () => {
  for (const [day, ...cells] of COUNTED) for (const cell of cells) assert.is(dayOf(cell), day, cell)
})

test('the day before a leap day’s month ends is clamped as well', () => {
  const date = approximateDate('a year ago', new Date('2028-02-29'))
  assert.is(date?.ok && date.value.toISOString().slice(0, 10), '2027-02-28')
})

test('what names no number, no unit or no time is no such date', () => {
  for (const cell of [
    'some weeks ago',
    'in the last week',
    'weeks ago',
    'ago',
    '3 ago',
    '3 flavours ago',
    '1.5 years ago',
    '2,5 years ago',
    '3 days4 ago',
    'mit 3 Tagen',
    '3 days old',
    '2024-00',
    '2024-13',
    'a 2024-03',
    '2024-03 a',
    'a 03/2024',
    '03/2024 a',
    '5 March 2024',
    'not edited a month ago',
    'a month ago on Google Maps',
    '12/1989',
    '2024',
    '31 March',
    'Model One 2019',
    '13/2024',
    'May 2024 was great',
    'x'.repeat(70),
    '',
  ]) {
    assert.is(dayOf(cell), 'none', cell)
    assert.not.ok(isApproximateDate(cell), cell)
  }
})

test('a time before there were reviews, or behind the day of the file, is refused in words', () => {
  assert.match(dayOf('900 years ago'), /is too long ago for a review/)
  assert.match(dayOf('November 2026'), /is later than the day given with --as-of/)
})

test('a month is no answer to how long ago', () => {
  assert.ok(isAgo('vor 2 Wochen'))
  assert.not.ok(isAgo('March 2024'))
})

test.run()
