import { isPrivate } from './excluded-headers.ts'
import { headerNames } from './header-names.ts'

/** What was liked, and what was not, as forms in the languages of the headings ask for it. */
const GOOD =
  /^(?:pros?|advantages?|positives?|positive(?:review|comments?|feedback)?|liked?|likes|(?:whatdoyoulike|whatdidyoulike|whatyoulike)(?:d|best|most|about.*)*|thegood|love|vorteile|positiv(?:es)?|dafur|avantages|pointsforts|pointspositifs|ventajas|lomejor|pregi|vantaggi|puntidiforza|voordelen|pluspunten|vantagens|pontospositivos|良い点)$/
const BAD =
  /^(?:cons?|disadvantages?|negatives?|negative(?:review|comments?|feedback)?|disliked?|dislikes|(?:whatdoyoudislike|whatdidyoudislike|whatdidntyoulike|whatyoudislike)(?:d|most|about.*)*|thebad|hate|nachteile|negativ(?:es)?|dagegen|inconvenients|pointsfaibles|pointsnegatifs|desventajas|inconvenientes|lopeor|difetti|svantaggi|puntideboli|nadelen|minpunten|desvantagens|pontosnegativos|気になる点)$/

/** The two columns of a review that is asked for in two halves. */
export function prosAndCons(headers: readonly string[], used: ReadonlySet<number>): number[] | undefined {
  const find = (pattern: RegExp) =>
    headers.findIndex(
      (header, index) =>
        !used.has(index) && !isPrivate(header) && headerNames(header).some((name) => pattern.test(name)),
    )
  const [good, bad] = [find(GOOD), find(BAD)]
  return good === -1 || bad === -1 ? undefined : [good, bad]
}
