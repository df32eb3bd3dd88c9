import type { Visibility } from '../fields/visibility.ts'
import { parseVisibility } from '../fields/visibility.ts'
import { isNo, isTicked, isUnticked, isYes } from '../fields/yes-no.ts'

const listOf = (words: string) => words.normalize('NFKD').replace(/\p{M}/gu, '').trim().split(/\s+/)
/** Whole words with which a form asks for leave. */
const ASKING_WORDS = new Set(
  listOf('ok okay agree agreed darf durfen duerfen mag mogen stimme podemos possiamo lupa saako izin'),
)
const POSSESSIVE = new Set(listOf('my your mein meinen ihr ihren mon votre mi su mio suo mijn uw meu seu'))
const MAY_WE = /\b(?:may|can|could|peut|puis)[ -]?(?:we|i|your|my|this|it|on|je)\b|\b(?:for|let|allow) us to\b/
/** Beginnings of such words, in the languages of the headers. */
const ASKING = listOf(`
  consent permi allow approv authori willing einwillig einverstand zustimm erlaub genehmig gestatt freigabe accept accett autoris accord
  autoriz acept consient acconsent autorizz consens toestem akkoord aceit concord zgod zgadz souhlas suhlas samtyc samtyk godkann godkend
  tillat suostu hozzajarul engedely acord συναιν αδεια συμφων соглас разреш дозв згод onay kabul izn
  許可 同意 承諾 可否 よろしい 동의 허용 允许 允許 授权 授權`)
/** Beginnings of words for what would be done with a review. */
const SHOWING = listOf(`
  publi share sharing quot display feature advertis testimon veroffentlich teilen geteilt zitier anzeig
  gepublic diffus affich partag cite compart difund pubblic condivi plaats geplaatst delen gedeeld getoond compartilh divulg
  opublik publik udostepn zverejn dela dele offentlig julkais jaka публик опублик размещ публік опублік розміщ yayin yayın paylas paylaş
  kozzet megjelen δημοσι 掲載 公開 게시 공개 公开 發布 发布 展示`)
/** May also be about the product: "Do you agree that it is easy to use?" */
const USING = listOf(`
  use using used show verwend genutzt nutz zeig utilis utiliz usar uso mostr gebruik tonen wykorzyst pouzi visa vise anvand
  bruge kaytta использ використ kullan felhaszn folos 使用 利用 사용`)
/** `Permission to use` */
const SHORT_QUESTION = 4
const OTHER =
  /^(?:newsletter|marketing|e?mails?|mailing|cookies?|privacy|policy|terms|contact|contacted|data|datenschutz|dsgvo|gdpr)$/
const PICTURE = /photo|picture|image|video|logo|foto|bild/
const OF_REVIEW =
  /review|testimon|feedback|answer|quote|comment|words|bewertung|rezension|meinung|avis|temoign|resena|opini|recension|ervaring|avaliac/
const NAME =
  /^(?:names?|namen|vornamen?|nom|prenom|nombre|nome|naam|navn|namn|imie|imienia|jmeno|имя|имени|ad|isim|名前|氏名|이름|姓名)$/
/** A question is not longer; each word is compared with every beginning. */
const MOST_WORDS = 30
const WORD = /[\p{L}\p{N}]+/gu

function begin(words: readonly string[], stems: readonly string[]): boolean {
  return words.some((word) => stems.some((stem) => word.startsWith(stem) || (!LATIN.test(stem) && word.includes(stem))))
}

/** What a heading asks for leave to do: to publish the review, to name its author, or something else. */
export function consentAsked(header: string): 'review' | 'name' | 'other' | undefined {
  const spaced = header.slice(0, 300).replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  const plain = spaced.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const words = (plain.match(WORD) ?? []).slice(0, MOST_WORDS)
  const isOfReview = OF_REVIEW.test(plain)
  const isNamed = words.length > 1 && words.some((word) => NAME.test(word))
  const isUsed = begin(words, USING)
  if (!begin(words, SHOWING) && !(isUsed && (isOfReview || isNamed || words.length <= SHORT_QUESTION))) return undefined
  const isAsked = MAY_WE.test(plain) || words.some((word) => ASKING_WORDS.has(word)) || begin(words, ASKING)
  // "Display name" holds names.
  if (isNamed && !(isAsked && isBoth(words)))
    return isAsked || words.some((word) => POSSESSIVE.has(word)) ? 'name' : 'other'
  if (!isAsked) return undefined
  const isOther = PICTURE.test(plain) || words.some((word) => OTHER.test(word))
  return isOther && !isOfReview ? 'other' : 'review'
}

const AND = listOf('and und et y e en og och i и')
const WITH = listOf('with mit avec con met com med under unter')

/** Whether a question is about the review as well as the name: "use my review and name", but not "my name with my review". */
function isBoth(words: readonly string[]): boolean {
  const name = words.findIndex((word) => NAME.test(word))
  const review = words.findIndex((word) => OF_REVIEW.test(word) && !word.startsWith('reviewer'))
  if (review === -1) return false
  const between = words.slice(Math.min(name, review), Math.max(name, review))
  return between.some((word) => AND.includes(word) || (review < name && WITH.includes(word)))
}

const LATIN = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u
const FIRST_WORD = /^[\p{L}\p{M}]+/u
const WITHOUT_NAME =
  /anonym|anónim|anonim|without (?:my |the )?name|no name|initials|ohne (?:meinen |den )?namen|sans (?:mon |le )?nom|sin (?:mi |el )?nombre|senza (?:il )?(?:mio )?nome|zonder (?:mijn )?naam|sem (?:o )?(?:meu )?nome/i

/** Words with which an answer refuses, also as parts of words where there are no blanks. */
const REFUSING =
  /^en |(?<!\p{L})(?:not|don.?t|no|nicht|kein\p{L}*|non|n|pas|niet|geen|nao|nie|nem|nu|ne|не|нет|δεν|inte|ikke|ei|tidak|לא)(?!\p{L})|m[iu]yor|不|没|未|しな|ません|않|안 /u
const OPPOSITE = /^(?:dis|ne)(?=\p{L}{4})/u

/** What form builders write for a ticked box: the words beside it, such as `I agree` and `Ich stimme zu`. */
function agreed(cell: string): Visibility | undefined {
  const plain = cell.slice(0, 300).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const words = (plain.match(WORD) ?? []).slice(0, MOST_WORDS)
  const meant = words.map((word) => word.replace(OPPOSITE, ''))
  if (!meant.some((word) => ASKING_WORDS.has(word)) && !begin(meant, ASKING)) return undefined
  const isRefused = REFUSING.test(plain.normalize('NFC').replace(WITHOUT_NAME, ''))
  return isRefused || meant.some((word, at) => word !== words[at]) ? 'hidden' : 'shown'
}

/** Whether an answer gives leave, whatever follows its first word: `Yes, with my first name`, `Nein danke`. */
export function consentIn(cell: string): Visibility | undefined {
  if (cell === '') return 'hidden'
  const first = FIRST_WORD.exec(cell)?.[0] ?? ''
  if (isTicked(cell) || isYes(first)) return 'shown'
  if (isUnticked(cell) || isNo(first)) return 'hidden'
  const said = agreed(cell)
  return said === 'hidden' ? said : (parseVisibility(cell) ?? said)
}

/** Whether an answer gives leave only without the author's name. */
export function asksAnonymity(cell: string): boolean {
  return WITHOUT_NAME.test(cell)
}
