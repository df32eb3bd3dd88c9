/** A word of a query where it stands. */
export interface Token {
  /** As it was typed. */
  typed: string
  lower: string
  start: number
}

/** One of these tells an English query, where capitals mark names; German capitalises every noun. */
const ENGLISH = new Set(
  'is are do does did has can could would what how the of with for at and any there this'.split(' '),
)
/** What may stand between two parts of a name: Rosa's Place, Frankie and Benny, House of the Lake. */
const JOINTS = new Set(['and', 'of', 'the', 's'])
const MOST_JOINTS = 2
const CAPITALISED = /^\p{Lu}[\p{Ll}\p{M}]+$/u
const LETTER = /[\p{L}\p{N}]/u
const OPENS = '.!?:'
/** Above this share of the words, capitals are a way of writing (a title), not names. */
const MOST_NAMES = 0.6

/**
 * Which words are written as the name of a business: capitalised ones in a row, and one before a word such as "hotel".
 * In one business's reviews its own name tells nothing apart, and its parts (house, lodge, bridge) match at random.
 */
export function markNames(q: string, words: readonly Token[], isKind: (word: string) => boolean): boolean[] {
  const names = words.map(() => false)
  if (!words.some(({ lower }) => ENGLISH.has(lower))) return names
  let opening = true
  let seen = 0
  const capitals = words.map(({ typed, start }) => {
    // Each character is looked at once: a pattern over all that stands before a word was cubic in the query.
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
