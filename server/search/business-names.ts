/** A word of a query and its position. */
export interface Token {
  /** As it was typed. */
  typed: string
  lower: string
  start: number
}

/** Any of these marks a query as English, where capitals mark names; German capitalises every noun. */
const ENGLISH = new Set(
  'is are do does did has can could would what how the of with for at and any there this'.split(' '),
)
/** Words that may join two parts of a name: Rosa's Place, Frankie and Benny, House of the Lake. */
const JOINTS = new Set(['and', 'of', 'the', 's'])
const MOST_JOINTS = 2
const CAPITALISED = /^\p{Lu}[\p{Ll}\p{M}]+$/u
const LETTER = /[\p{L}\p{N}]/u
const OPENS = '.!?:'
/** Above this share of the words, capitals are a style (title case), not names. */
const MOST_NAMES = 0.6

/**
 * Marks the words that are written as the name of a business: runs of capitalised words, and a capitalised word before
 * one such as "hotel". In a business's own reviews its name distinguishes nothing, and its parts (house, lodge, bridge)
 * match at random.
 */
export function markNames(q: string, words: readonly Token[], isKind: (word: string) => boolean): boolean[] {
  const names = words.map(() => false)
  if (!words.some(({ lower }) => ENGLISH.has(lower))) return names
  let opening = true
  let seen = 0
  const capitals = words.map(({ typed, start }) => {
    // Visits each character once: a regular expression over everything before a word was cubic in the query's length.
    for (const character of q.slice(seen, start)) {
      if (OPENS.includes(character)) opening = true
      else if (LETTER.test(character)) opening = false
    }
    seen = start
    return CAPITALISED.test(typed) && !opening
  })
  for (const [i, { lower }] of words.entries()) {
    if (isKind(lower) && capitals[i - 1]) names[i - 1] = true
    if (!capitals[i]) continue
    let next = i + 1
    while (next - i <= MOST_JOINTS && JOINTS.has(words[next]?.lower ?? '')) next++
    if (capitals[next]) names.fill(true, i, next + 1)
  }
  return names.filter(Boolean).length <= MOST_NAMES * words.length ? names : names.fill(false)
}
