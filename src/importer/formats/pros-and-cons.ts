import type { RawRow } from '../read/table.ts'
import { ALIAS_WORDS } from './aliases.ts'
import { filledCells } from './column-content.ts'
import { isCompoundName, wordsOfHeader } from './compound-names.ts'
import { isPrivate } from './excluded-headers.ts'
import { headerNames, headerSet } from './header-names.ts'

/** Names of the columns for positive and negative text. */
const GOOD =
  /^(?:(?:review)?pros?|advantages?|positives?|positive(?:review|comments?|feedback)?|liked?|likedtext|likes|(?:whatdoyoulike|whatdidyoulike|whatyoulike)(?:d|best|most|about.*)*|thegood|love|vorteile?|positiv(?:es)?|dafur|avantages?|pointsforts|pointspositifs|ventajas?|lomejor|pregi|vantaggi|puntidiforza|voordelen|pluspunten|vantagens|pontospositivos|良い点)$/
const BAD =
  /^(?:(?:review)?cons?|disadvantages?|negatives?|negative(?:review|comments?|feedback)?|disliked?|dislikedtext|dislikes|(?:whatdoyoudislike|whatdidyoudislike|whatdidntyoulike|whatyoudislike)(?:d|most|about.*)*|thebad|hate|nachteile?|negativ(?:es)?|dagegen|inconvenients?|pointsfaibles|pointsnegatifs|desventajas?|inconvenientes?|contras?|lopeor|difetti|svantaggi|puntideboli|nadelen|minpunten|desvantagens|pontosnegativos|気になる点)$/
const FURTHER_GOOD = headerSet(`
  достоинства | плюсы | переваги | zalety | klady | výhody | előnyök | artılar | fördelar | fordele | fordeler | plussat | 良かった点 | 満足 | 満足点 | 満足した点 | メリット | 优点 | 優點 | 장점 | kelebihan`)
const FURTHER_BAD = headerSet(`
  недостатки | минусы | недоліки | wady | zápory | nevýhody | hátrányok | eksiler | nackdelar | ulemper | miinukset | 悪かった点 | 気になった点 | 不満 | 不満点 | 不満な点 | デメリット | 缺点 | 缺點 | 단점
  kekurangan`)

/** Beside a name of the text: "Positive Bewertung", "commentaire négatif". */
const POSITIVE = /(?<!\p{L})(?:positi[vf]|pozitiv|pozytywn|положит)\p{L}*/iu
const NEGATIVE = /(?<!\p{L})(?:negati[vf]|negatyw|отрицат)\p{L}*/iu

function isTextThatIs(word: RegExp, header: string): boolean {
  const plain = header
    .replace(/(\p{Ll})(\p{Lu})|_/gu, '$1 $2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
  return word.test(plain) && isCompoundName('text', plain.replace(word, ' '))
}

/** What is left of a header beside the words for a text: "avantage" of "avantageAvis", "pros" of "review_pros_text". */
function withoutText(header: string): string {
  const words = wordsOfHeader(header).filter((word) => !ALIAS_WORDS.text.alone.has(word))
  return words.join('')
}

/** The two columns of a review split into pros and cons; "likes" and "dislikes" may also be numbers of votes. */
export function prosAndCons(
  headers: readonly string[],
  sample: readonly RawRow[],
  used: ReadonlySet<number>,
): number[] | undefined {
  const find = (pattern: RegExp, further: ReadonlySet<string>, word: RegExp) =>
    headers.findIndex(
      (header, index) =>
        !used.has(index) &&
        !isPrivate(header) &&
        !isCount(filledCells(sample, index)) &&
        ([...headerNames(header), withoutText(header)].some((name) => pattern.test(name) || further.has(name)) ||
          isTextThatIs(word, header)),
    )
  const [good, bad] = [find(GOOD, FURTHER_GOOD, POSITIVE), find(BAD, FURTHER_BAD, NEGATIVE)]
  return good === -1 || bad === -1 ? undefined : [good, bad]
}

function isCount(cells: readonly string[]): boolean {
  return cells.length > 0 && cells.every((cell) => /^\d+(?:[.,]\d+)?\s?%?$/.test(cell))
}
