import { DAY_MS } from '../../contract/timestamp.ts'

const split = (names: string) => names.split(' ')
const MONTHS = split('Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec')
/** Names of months that have marks among their letters, from January on. */
const MARKED = [
  'มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม',
  'ม.ค. ก.พ. มี.ค. เม.ย. พ.ค. มิ.ย. ก.ค. ส.ค. ก.ย. ต.ค. พ.ย. ธ.ค.',
  'जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर',
  'जन॰ फ़र॰ मार्च अप्रैल मई जून जुल॰ अग॰ सित॰ अक्टू॰ नव॰ दिस॰',
  'जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितम्बर अक्तूबर नवम्बर दिसम्बर',
].map((names) => split(names.normalize('NFKC')))
const DAY_AND_NAME =
  /^(?:\S{1,20} ?ที่ |[\p{L}\p{M}]{4,12}, )?(\d{1,2}) ([\p{L}\p{M}.॰]{2,12}),? (?:พ\.ศ\. ?)?(\d{4}|\d{2})(?=$|[ ,])/u
const PERSIAN_MONTHS = split('فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند')

/** Thai years are ahead by 543, Taiwan's begin in 1912. No review of our time has such a year of the common era. */
const BUDDHIST = { ahead: 543, years: /(?<!\d)25[4-9]\d(?!\d)/ }
const TAIWAN = /^(?:民國 ?)?(1\d{2})(?: ?年 ?|([/.-]))(\d{1,2})(?: ?月 ?|\2)(\d{1,2})日?(?=$| )/
/** The years before the first of each era. */
const JAPANESE = /^(令和|平成|[RH])(\d{1,2}|元)(?:年|[./])(\d{1,2})(?:月|[./])(\d{1,2})日?(?=$| )/
const ERAS: Record<string, number> = { 令和: 2018, R: 2018, 平成: 1988, H: 1988 }
const PERSIAN = /^(1[34]\d{2})([/-])(\d{1,2})\2(\d{1,2})(?=$|[ ,])/
const PERSIAN_NAMED = /^(?:[\p{L}\u200c]{2,12} )?(\d{1,2}) (\p{L}{2,8}) (1[34]\d{2})(?=$|[ ,])/u
const persianCalendar = new Intl.DateTimeFormat('en-u-ca-persian-nu-latn', {
  timeZone: 'UTC',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
})

/** Rewrites a date of another calendar, or with a month's name in Thai or Hindi, to one of the common era. */
export function toCommonEra(value: string): string {
  return value
    .replace(DAY_AND_NAME, (written: string, day: string, name: string, year: string) => {
      const names = MARKED.find((months) => months.includes(name))
      if (!names) return written
      const isThaiYear = year.length === 2 && /\p{Script=Thai}/u.test(name)
      return `${day} ${MONTHS[names.indexOf(name)]} ${isThaiYear ? `25${year}` : year}`
    })
    .replace(TAIWAN, (_, year: string, _sign, month: string, day: string) => `${Number(year) + 1911}-${month}-${day}`)
    .replace(JAPANESE, (_, era: string, year: string, month: string, day: string) => {
      return `${(ERAS[era] ?? 0) + (year === '元' ? 1 : Number(year))}-${month}-${day}`
    })
    .replace(PERSIAN, (written: string, year: string, _sign, month: string, day: string) => {
      return fromPersian(Number(year), Number(month), Number(day)) ?? written
    })
    .replace(PERSIAN_NAMED, (written: string, day: string, name: string, year: string) => {
      return fromPersian(Number(year), PERSIAN_MONTHS.indexOf(name) + 1, Number(day)) ?? written
    })
    .replace(BUDDHIST.years, (year) => String(Number(year) - BUDDHIST.ahead))
}

/** A day of the Persian calendar as `YYYY-MM-DD`; undefined for one that it does not have. */
function fromPersian(year: number, month: number, day: number): string | undefined {
  // Six months of 31 days, then of 30; the year begins on one of three days in March.
  const days = (month - 1) * 31 - Math.max(0, month - 7) + day - 1
  const wanted = `${month}/${day}/${year}`
  for (const newYear of [20, 21, 22]) {
    const date = new Date(Date.UTC(year + 621, 2, newYear) + days * DAY_MS)
    if (persianCalendar.format(date).startsWith(wanted)) return date.toISOString().slice(0, 10)
  }
  return undefined
}
