import { readFileSync } from 'node:fs'
import * as v from 'valibot'

const words = v.array(v.string())

/** How a text is read, in training (training/features.py) and here; both read features.json. */
export const FEATURES = v.parse(
  v.object({
    /** Words that turn the `scope` words behind them: "not … good". */
    negators: words,
    /** Words that end a negation's scope. */
    scopeEnds: words,
    scope: v.number(),
    /** Weight of a word written like a name in a query: in one business's reviews its own name tells nothing apart. */
    nameWeight: v.number(),
    /** A lone capitalised word is a name when it is rarer than this place by frequency: not "Italian" or "Sunday". */
    rareWord: v.number(),
    /** Above this share of a query's words, capitals are a way of writing (a title), not names. */
    mostNames: v.number(),
    /** Words of one entry of another language: "café da manhã". */
    longestPhrase: v.number(),
    /** Frequency of the first English word, on Zipf's scale; the others follow his law by their place. */
    mostFrequent: v.number(),
  }),
  JSON.parse(readFileSync(new URL('./features.json', import.meta.url), 'utf8')),
)
