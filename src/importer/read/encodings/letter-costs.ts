import { OTHER_LANGUAGES, WESTERN_LANGUAGES } from './letters.ts'

/** How unlikely each is: roughly the negative logarithm of its frequency. */
const COST = {
  /** A symbol between spaces tells nothing: most encodings have symbols at those bytes. */
  symbolAlone: 4,
  usualSymbol: 9,
  symbol: 16,
  symbolInWord: 25,
  /** The apostrophe of “can’t”, often the only one that an English text has. */
  contraction: 4,
  noCharacter: 40,
  capitalInWord: 8,
  /** A Latin letter beside one of another script. */
  otherScript: 8,
  rarePair: 5,
  loanword: 2,
  foreignLetter: 9,
  /** A cell in a different language from the rest of the file. */
  otherLanguage: 4,
  usualIdeograph: 5,
  fullWidthSymbol: 7,
  ideograph: 12,
}

const USUAL_SYMBOLS = '“”‘’–—…€£°«»¿¡½•©®™§ªºµ²³×´\u00a0¼¾„‚·№‰'
/** Symbols that may stand between two letters. */
const WITHIN_WORDS = '’·–—…\u00a0ªº'
/** In Latin script, non-ASCII letters come alone or in pairs; a run this long is suspicious. */
const LONG_RUN = 4
const NO_CHARACTER = /[\u007f-\u009f\ufffd\ue000-\uf8ff]/

interface Language {
  letters: ReadonlySet<string>
  /** Cost of each pair. */
  pairs: ReadonlyMap<string, number>
}

const WESTERN = WESTERN_LANGUAGES.map(languageOf)
const LANGUAGES: Language[] = [...WESTERN, ...OTHER_LANGUAGES.map(languageOf), mixedOf(WESTERN)]

function languageOf([letters, pairs]: readonly [letters: string, pairs: string]): Language {
  const costs = Array.from({ length: pairs.length / 2 }, (_, rank): [string, number] => [
    pairs.slice(2 * rank, 2 * rank + 2).replace('_', ' '),
    1.5 + Math.log(1 + rank / 3),
  ])
  return { letters: new Set(letters), pairs: new Map(costs) }
}

/** English, or any text with words and names from several languages: crêpes with jalapeños, and Zoë. */
function mixedOf(languages: readonly Language[]): Language {
  const pairs = new Map<string, number>()
  for (const language of languages)
    for (const [pair, cost] of language.pairs)
      pairs.set(pair, Math.min(pairs.get(pair) ?? COST.rarePair, cost + COST.loanword))
  return { letters: new Set(languages.flatMap(({ letters }) => [...letters])), pairs }
}

/** Cache of the cost of each pair of letters in each language. */
export type PairCostCache = Map<string, number[]>

/**
 * The cost of texts in the alphabetic language in which their total is lowest. A text that is much cheaper in another
 * language, such as a traveller's review, counts as written in that.
 */
export function alphabetCost(texts: readonly string[], known: PairCostCache): number {
  let cost = 0
  const totals = LANGUAGES.map(() => 0)
  for (const text of texts) {
    const read = readWords(text)
    cost += read.cost
    const costs = LANGUAGES.map(() => 0)
    for (const pair of read.pairs) {
      const each = known.get(pair) ?? pairCosts(pair)
      known.set(pair, each)
      for (let language = 0; language < costs.length; language++)
        costs[language] = (costs[language] ?? 0) + (each[language] ?? 0)
    }
    const most = Math.min(...costs) + COST.otherLanguage
    for (let language = 0; language < costs.length; language++)
      totals[language] = (totals[language] ?? 0) + Math.min(costs[language] ?? 0, most)
  }
  return cost + Math.min(...totals)
}

function pairCosts(pair: string): number[] {
  return LANGUAGES.map(({ letters, pairs }) => {
    const isForeign = [...pair].some((letter) => letter >= '\u0080' && !letters.has(letter))
    return pairs.get(pair) ?? (isForeign ? COST.foreignLetter : COST.rarePair)
  })
}

/** The pairs with a non-ASCII letter, in lower case (a space for a non-letter), and the language-independent cost. */
function readWords(text: string): { cost: number; pairs: string[] } {
  const characters = Array.from(text, characterOf)
  const pairs: string[] = []
  let cost = 0
  let run = 0
  for (let at = 0; at < characters.length; at++) {
    const [before = SPACE, here = SPACE, behind = SPACE] = [characters[at - 1], characters[at], characters[at + 1]]
    if (here.isAscii && before.isAscii) continue
    run = here.isAscii ? 0 : run + 1
    if (before.letter >= '\u0080' || here.letter >= '\u0080') pairs.push(before.letter + here.letter)
    if (here.letter !== ' ') {
      if (before.letter !== ' ' && before.isLatin !== here.isLatin) cost += COST.otherScript
      if (run >= LONG_RUN && here.isLatin) cost += COST.otherScript
      if (here.isCapital && before.isSmall) cost += COST.capitalInWord
    } else if (here.isAscii) continue
    else {
      const isApart = here.cost === COST.usualSymbol || (before.isAscii && behind.isAscii)
      const isAlone = isApart && before.letter === ' ' && behind.letter === ' '
      const isWithin = before.letter !== ' ' && behind.letter !== ' '
      if (isWithin && isContraction(characters, at)) cost += COST.contraction
      else cost += isAlone ? here.costAlone : isWithin ? here.costInWord : here.cost
    }
  }
  return { cost, pairs }
}

/** Whether the apostrophe at a place is that of an English contraction. */
function isContraction(characters: readonly Character[], at: number): boolean {
  if (characters[at] !== APOSTROPHE) return false
  const end = characters.slice(at + 1, at + 4).map(({ letter }) => letter)
  return /^(?:[stdm]|re|ve|ll)(?: |$)/.test(end.join(''))
}

interface Character {
  isAscii: boolean
  /** In lower case; a space for a non-letter. */
  letter: string
  isLatin: boolean
  isSmall: boolean
  isCapital: boolean
  costAlone: number
  cost: number
  costInWord: number
}
const known = new Map<string, Character>()

/** The cache needs no bound: the alphabets' encodings have only a few hundred characters. */
function characterOf(character: string): Character {
  const found = known.get(character)
  if (found) return found
  const isLetter = /[\p{L}\p{M}]/u.test(character) && !'ªºµ'.includes(character)
  const small = character.toLowerCase()
  const usual = USUAL_SYMBOLS.includes(character) ? COST.usualSymbol : COST.symbol
  const [costAlone, cost] = NO_CHARACTER.test(character)
    ? [COST.noCharacter, COST.noCharacter]
    : [COST.symbolAlone, usual]
  const made: Character = {
    isAscii: character < '\u0080',
    letter: isLetter ? small : ' ',
    isLatin: /[\p{Script=Latin}\p{Script=Inherited}]/u.test(character),
    isSmall: isLetter && character === small && character !== character.toUpperCase(),
    isCapital: isLetter && character !== small,
    costAlone,
    cost,
    costInWord: WITHIN_WORDS.includes(character) ? cost : Math.max(cost, COST.symbolInWord),
  }
  known.set(character, made)
  return made
}
const SPACE = characterOf(' ')
const APOSTROPHE = characterOf('’')

/**
 * The cost of a text in Chinese, Japanese or Korean.
 *
 * @param usual matches the characters that are frequent in the language
 */
export function ideographCost(text: string, usual: RegExp): number {
  let cost = 0
  for (let at = 0; at < text.length; at++) {
    const here = text[at] ?? ''
    if (here < '\u0080') continue
    if (NO_CHARACTER.test(here)) cost += COST.noCharacter
    else if (usual.test(here)) cost += COST.usualIdeograph
    else if (/[\u3000-\u303f\uff01-\uff5e]/.test(here)) cost += COST.fullWidthSymbol
    else cost += /[\u4e00-\u9fff\uac00-\ud7a3]/.test(here) ? COST.ideograph : COST.symbol
    if (/[a-z]/i.test(text[at - 1] ?? '')) cost += COST.otherScript
    if (/[a-z]/i.test(text[at + 1] ?? '')) cost += COST.otherScript
  }
  return cost
}
