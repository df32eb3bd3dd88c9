import { isAgo } from './approximate-date.ts'
import { parseDate } from './date.ts'

/** What Google's pages write above a reply, by language; a time follows, on the same line. */
export const REPLY_LABELS = [
  'Response from the owner',
  'Antwort vom Inhaber',
  'Réponse du propriétaire',
  'Respuesta del propietario',
  'Risposta del proprietario',
  'Reactie van de eigenaar',
  'Resposta do proprietário',
  'Odpowiedź właściciela',
  'Svar fra ejeren',
  'Svar från ägaren',
  'Svar fra eieren',
  'Omistajan vastaus',
  'Odpověď majitele',
  'Ответ владельца',
  'İşletme sahibinin yanıtı',
  'オーナーからの返信',
  '업주의 답변',
  '業主回應',
  '商家回复',
]
/** Tells most texts that they have no label: looking for each took a twentieth of the time of reading. */
const MAY_HAVE_LABEL =
  /(?:^|\s)(?:Re(?:sponse|ply)|Comment) from |(?:^|\s)(?:Antwort vom|Réponse du|Respuesta del|Risposta del|Reactie van|Resposta do|Odpowiedź|Svar fr|Omistajan|Odpověď|Ответ|İşletme|オーナー|업주|業主|商家)/
/** Above a reply on Trustpilot, Tripadvisor and Yelp: two lines, of which the second tells them from a customer's words. */
const TWO_LINES: readonly [first: RegExp, isSecond: (line: string) => boolean][] = [
  [/^Reply from .{1,100}$/, (line) => isAgo(line) || parseDate(line).ok],
  [/^Response from .{1,100}$/, (line) => /^Responded /.test(line)],
  [/^Comment from .{1,100}$/, (line) => /^Business (?:Owner|Manager|Customer Service)$/i.test(line)],
]
const MOST_WORDS_OF_TIME = 5
/** A page has one label; a text that is made of them is not searched through. */
const MOST_LABELS = 3

/**
 * Cuts the business's reply off a text that was copied with it, from the label that the page puts above it: a line of its
 * own, or a label with a time. Without this the owner would be quoted as a customer.
 *
 * @returns undefined when there is none
 */
export function withoutReply(text: string): string | undefined {
  if (!MAY_HAVE_LABEL.test(text)) return undefined
  const at = labelAt(text) ?? twoLinesAt(text)
  return at === undefined ? undefined : text.slice(0, at).trimEnd()
}

function labelAt(text: string): number | undefined {
  for (const label of REPLY_LABELS) {
    let at = text.indexOf(label)
    for (let seen = 0; at !== -1 && seen < MOST_LABELS; seen++, at = text.indexOf(label, at + label.length)) {
      const before = text[at - 1] ?? '\n'
      const [line = ''] = text.slice(at + label.length, at + label.length + 100).split('\n')
      if (/\s/.test(before) && (startsWithTime(line) || (before === '\n' && line.trim() === ''))) return at
    }
  }
  return undefined
}

function startsWithTime(line: string): boolean {
  const words = line.trim().split(/\s+/)
  for (let count = 1; count <= MOST_WORDS_OF_TIME && count <= words.length; count++)
    if (isAgo(words.slice(0, count).join(' '))) return true
  return false
}

const BEGINNING = /^(?:Reply|Response|Comment) from /gm

function twoLinesAt(text: string): number | undefined {
  let seen = 0
  for (const { index } of text.matchAll(BEGINNING)) {
    if (++seen > MOST_LABELS) return undefined
    const [first = '', ...others] = text.slice(index, index + 300).split('\n')
    const second = others.find((line) => line.trim() !== '') ?? ''
    if (TWO_LINES.some(([pattern, isSecond]) => pattern.test(first.trim()) && isSecond(second.trim()))) return index
  }
  return undefined
}
