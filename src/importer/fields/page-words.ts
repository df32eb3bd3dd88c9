import { splitExperienceDate } from './experience-date.ts'
import { withoutReply } from './reply-in-text.ts'

/** Buttons below a text, after the end of a sentence or on a line of their own. */
const BUTTON = /(?:(?<=[.!?…])[^\S\n]*|[^\S\n]*\n\s*)(?:Read|READ|See|SEE|Show|SHOW) ?(?:more|MORE|less|LESS)$/
/** After an ellipsis, a shorter one is enough: Google's in many languages, and those of other pages. */
const SHORT_BUTTON =
  /(?<=\.{3}|…)[^\S\n]*(?:More|Mehr|Mehr anzeigen|Mehr lesen|Weiterlesen|Plus|Lire la suite|Más|Ver más|Leer más|Altro|Leggi tutto|Meer|Meer lezen|Mais|Ler mais|Leia mais|Więcej|Czytaj (?:więcej|dalej)|Více|Číst více|Viac|Čítať viac|Bővebben|Mai multe?|Citește mai mult|Prikaži više|Περισσότερα|Mer|(?:Läs|Visa|Les|Vis) mer|Mere|(?:Læs|Vis) mere|Lisää|(?:Lue|Näytä) lisää|Devamı|Devamını oku|Daha fazla|Ещё|Читать (?:дальше|полностью)|Показать полностью|Читати далі|[Ss]elengkapnya|Baca selengkapnya|Lengkapnya|Lainnya|Xem thêm|Đọc thêm|อ่านต่อ|อ่านเพิ่มเติม|ดูเพิ่มเติม|เพิ่มเติม|もっと見る|続きを読む|全文を表示|더보기|자세히 보기|查看更多|显示更多|更多|展开|展開|קרא עוד|المزيد|اقرأ المزيد)$/
const LONGEST_SHORT_BUTTON = 32
/** Below reviews on Tripadvisor's pages, in this order from the end. */
const DISCLAIMER =
  /\s*This review is the subjective opinion of an? Trip[Aa]dvisor member and not of Trip[Aa]dvisor LLC\.[^\n]{0,200}$/
const COLLECTED = /\s*Review collected in partnership with [^.\n]{2,60}\.?$/
/** Below reviews on Amazon's pages. */
const HELPFUL =
  /\s*\n\s*(?:[\d,]{1,7}|One) (?:people|person) found this helpful\.?(?:\s*\n\s*Helpful)?(?:[\s|]*\n?[\s|]*Report)?$/
const HELPFUL_BUTTONS = /\s*\n\s*Helpful\s*\n\s*Report$/
const LONGEST_TAIL = 320
/** With what tells most texts that they have none: searching each tail took a fifth of the time of reading a CSV. */
const TAILS: { pattern: RegExp; isPossible(tail: string): boolean }[] = [
  { pattern: DISCLAIMER, isPossible: (tail) => tail.includes('subjective opinion') },
  { pattern: COLLECTED, isPossible: (tail) => tail.includes('collected in partnership') },
  { pattern: HELPFUL, isPossible: (tail) => tail.includes('found this helpful') },
  { pattern: HELPFUL_BUTTONS, isPossible: (tail) => tail.endsWith('Report') },
  { pattern: BUTTON, isPossible: (tail) => /^(?:more|less)$/i.test(tail.slice(-4)) },
  { pattern: SHORT_BUTTON, isPossible: (tail) => /…|\.{3}/.test(tail.slice(-LONGEST_SHORT_BUTTON)) },
]

/** Below each answer in G2's reviews. */
const HOSTED = /\s*Review collected by and hosted on G2\.com\.?\s*/g
/** Above texts: on Skytrax's pages, and in Amazon's reviews with a video. */
const HEAD =
  /^(?:(?:[✅❎☑✔]\ufe0f?\s*)?(?:Trip Verified|Verified Review|Not Verified|Unverified)\s*\|\s*|The media could not be loaded\.\s+|\[\[VIDEOID:[^\]\n]{1,80}\]\]\s*)/

/** What platforms say where a review has no text, or one of its halves has none. */
const NOTHING =
  "(?:there are no comments available for this review|this review has no comments|this review (?:has been|is) hidden because it doesn['’]t meet our guidelines|the user didn['’]t write a review,? and has left just a rating|the media could not be loaded|this review (?:has been|was) (?:removed|deleted)(?: by (?:its author|the author|the reviewer|the user))?|текст отзыва недоступен|\\[(?:deleted|removed)\\]|[此该]用户(?:未|没有?)填写(?:评[论价])?(?:内容)?|(?:评价方|买家)未及时[做作]出评价[,，]?\\s?系统默认好评)[.!。！]?"
const NOTHING_WRITTEN = new RegExp(`^${NOTHING}$`, 'i')
const EMPTY_HALF = new RegExp(`^${NOTHING}\\n\\n|\\n\\n${NOTHING}$`, 'i')
/** What Airbnb publishes in the name of a guest whose host cancelled. */
const AUTOMATIC = /^[^\n]{1,120} This is an automated posting\.$/

/** Below reviews on Google's pages: the customer's ratings in detail. Authors write such lists too, but not with these bars. */
const RATING = '(?:Food|Service|Atmosphere|Rooms|Location) ?: ?[1-5]/5'
const RATINGS = new RegExp(`(?:^|\\s)(${RATING}(?:\\s*\\|\\s*${RATING}){1,3})$`)

/** A text without the words of the page from which it was copied. */
export interface BareText {
  text: string
  /** Whether anything was left out that says nothing about the review. */
  hadPageWords: boolean
  hadReply: boolean
  /** What was left out and is worth keeping. */
  kept: { note: 'experience_date' | 'detailed_ratings'; key: string; value: string }[]
}

/**
 * Leaves out what only a platform's page says before or after a review: never anything that an author would write.
 * @param isOwn whether the text is from our own export, which is left as it is
 */
export function withoutPageWords(written: string, isOwn: boolean): BareText {
  const bare: BareText = { text: written, hadPageWords: false, hadReply: false, kept: [] }
  if (isOwn) return bare
  const before = withoutReply(written)
  if (before !== undefined) Object.assign(bare, { text: before, hadReply: true })
  takeEnds(bare)
  const labelled = splitExperienceDate(bare.text)
  if (labelled) {
    bare.kept.push({ note: 'experience_date', key: 'date_of_experience', value: labelled.day })
    bare.text = labelled.text
    takeEnds(bare)
  }
  const ratings = bare.text.endsWith('/5') ? RATINGS.exec(bare.text.slice(-LONGEST_TAIL))?.[1] : undefined
  if (ratings !== undefined) {
    bare.kept.push({ note: 'detailed_ratings', key: 'detailed_ratings', value: ratings.replace(/\s+/g, ' ') })
    bare.text = bare.text.slice(0, -ratings.length).trimEnd()
    takeEnds(bare)
  }
  return bare
}

function takeEnds(bare: BareText): void {
  const text = withoutEnds(bare.text)
  bare.hadPageWords ||= text !== bare.text
  bare.text = text
}

function withoutEnds(written: string): string {
  let text = written.replace(HEAD, '')
  if (text.includes('hosted on G2')) text = text.replace(HOSTED, '\n\n').trim()
  if (text.includes('\n\n')) text = text.replace(EMPTY_HALF, '')
  for (const { pattern, isPossible } of TAILS) {
    const from = Math.max(0, text.length - LONGEST_TAIL)
    const tail = text.slice(from)
    if (isPossible(tail)) text = text.slice(0, from) + tail.replace(pattern, '').trimEnd()
  }
  return text
}

/** Whether a text is only what a platform says where a review has none. */
export function isNothingWritten(text: string): boolean {
  return text.length < 100 && NOTHING_WRITTEN.test(text)
}

/** Whether a platform wrote the text in the name of a customer. */
export function isAutomatic(text: string): boolean {
  return text.length < 160 && text.endsWith('automated posting.') && AUTOMATIC.test(text)
}
