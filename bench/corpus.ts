/**
 * Made-up reviews for measurements, from a small grammar: sentences of a few templates, filled from word lists whose
 * members appear about as often as their rank says (Zipf), plus a long tail of invented names. The same seed gives the
 * same reviews on every machine. Nothing here comes from a real review.
 */
import type { ReviewInput } from '../src/contract/review.ts'
import { GRAMMARS, type Grammar } from './grammar.ts'

const SOURCES = ['google', 'google', 'google', 'yelp', 'trustpilot', 'facebook', 'custom'] as const
/** Out of 20: how often stars appear, as on the review sites (mostly good); `null` is a review without stars. */
const RATINGS = [5, 5, 5, 5, 5, 5, 5, 5, 5, 4, 4, 4, 4, 3, 3, 2, 2, 1, null, null] as const
const NEWEST = Date.UTC(2026, 5, 1)
const DAY = 86_400_000

/** A random number generator with a seed (mulberry32): numbers in [0, 1). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Picks a member of the list, the first ones far more often than the last. */
function pick<T>(random: () => number, list: readonly T[]): T {
  // The inverse of the integral of 1/x over the ranks: close enough to Zipf's law, without a table.
  const rank = Math.floor((list.length + 1) ** random()) - 1
  return list[Math.min(rank, list.length - 1)] as T
}

const SYLLABLES =
  'ba be bo da de do fa fe ga go ka ke ko la le li lo ma me mi mo na ne no pa po ra re ri ro sa se so ta te ti to va ve vi vo za ze'.split(
    ' ',
  )

/** An invented proper noun: the low ranks come again and again, the high ones hardly ever. */
function inventedName(random: () => number): string {
  let rank = Math.floor(60_000 ** random())
  let name = ''
  do {
    name += SYLLABLES[rank % SYLLABLES.length]
    rank = Math.floor(rank / SYLLABLES.length)
  } while (rank > 0)
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}r`
}

function fill(random: () => number, grammar: Grammar, template: string): string {
  return template.replace(/\{(\w+)\}/g, (_, slot: string) => {
    if (slot === 'name') return inventedName(random)
    if (slot === 'number') return String(2 + Math.floor(random() * 12))
    return pick(random, grammar.words[slot] ?? [slot])
  })
}

function sentences(random: () => number, grammar: Grammar, good: boolean): string {
  const count = 1 + Math.floor(random() ** 1.4 * 17)
  const out: string[] = []
  for (let i = 0; i < count; i++) {
    const kind = random()
    const templates = kind < 0.2 ? grammar.neutral : kind < 0.85 === good ? grammar.praise : grammar.complaint
    const sentence = fill(random, grammar, pick(random, templates))
    out.push(sentence.charAt(0).toUpperCase() + sentence.slice(1))
  }
  return out.join(' ')
}

/** An endless stream of reviews; `external_id` counts up from 0. */
export function* reviews(seed = 1): Generator<ReviewInput & { external_id: string }> {
  const random = seeded(seed)
  for (let i = 0; ; i++) {
    const grammar = GRAMMARS[random() < 0.8 ? 0 : 1 + Math.floor(random() * (GRAMMARS.length - 1))] as Grammar
    const rating = RATINGS[Math.floor(random() * RATINGS.length)] ?? null
    const good = rating === null ? random() < 0.8 : rating > 3
    yield {
      external_id: `made-up-${seed}-${i}`,
      source: SOURCES[Math.floor(random() * SOURCES.length)] ?? 'custom',
      rating,
      text: sentences(random, grammar, good),
      author_name: `${inventedName(random)} ${inventedName(random).charAt(0)}.`,
      occurred_at: new Date(NEWEST - Math.floor(random() ** 2 * 2000) * DAY - Math.floor(random() * DAY)),
      language: grammar.language,
      metadata: { branch: inventedName(random), season: pick(random, ['summer', 'winter', 'spring', 'autumn']) },
    }
  }
}

/** The first `count` reviews of a seed. */
export function takeReviews(count: number, seed = 1): ReviewInput[] {
  const out: ReviewInput[] = []
  for (const review of reviews(seed)) {
    if (out.length === count) break
    out.push(review)
  }
  return out
}

/** Queries as visitors' pages send them: from one rare word to a sentence, in the corpus's own words and in others. */
export const QUERIES = [
  'quiet room at night',
  'breakfast buffet with fresh bread',
  'friendly staff',
  'swimming pool for children',
  'walking distance to the station',
  'romantic dinner with a view of the lake',
  'vegetarian dishes',
  'clean bathroom',
  'free parking',
  'good value for the price',
  'dog friendly hotel',
  'late check-in was easy and the receptionist helped us with the luggage',
  'comfortable bed',
  'fast wifi for working',
  'birthday party for a large group',
  'sauna and massage',
  'ruhiges Zimmer',
  'petit déjeuner',
  'delivery on time',
  'customer service answered quickly',
]
