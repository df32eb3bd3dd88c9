import { readFileSync } from 'node:fs'
import * as v from 'valibot'

const words = v.array(v.string())

/** How a text is tokenised, shared by training (training/features.py) and inference; both read features.json. */
export const FEATURES = v.parse(
  v.object({
    /** Words that negate the next `scope` words: "not … good". */
    negators: words,
    /** Words that end a negation's scope. */
    scopeEnds: words,
    scope: v.number(),
    /** Weight of a word written like a name in a query: in a business's own reviews its name distinguishes nothing. */
    nameWeight: v.number(),
    /** A lone capitalised word is a name if its frequency rank is beyond this: not "Italian" or "Sunday". */
    rareWord: v.number(),
    /** Above this share of a query's words, capitals are a style (title case), not names. */
    mostNames: v.number(),
    /** Words in one entry of another language: "café da manhã". */
    longestPhrase: v.number(),
    /** Zipf-scale frequency of the first English word; that of the others follows Zipf's law by rank. */
    mostFrequent: v.number(),
  }),
  JSON.parse(readFileSync(new URL('./features.json', import.meta.url), 'utf8')),
)
