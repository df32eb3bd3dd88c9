import type { Vocabulary } from './vocabulary.ts'

/**
 * Words for one side of a scale and for the other. They occur in the same contexts, so their vectors are close; "quiet room"
 * still asks for one side (see `Model`). training/mine.py has the same list.
 */
const SCALES = [
  'huge enormous massive gigantic|tiny minuscule small little',
  'big large spacious roomy|small tiny cramped little poky',
  'generous hearty substantial|small tiny measly skimpy',
  'quiet peaceful silent calm soundproof|loud noisy rowdy',
  'cheap inexpensive affordable reasonable|expensive overpriced pricey costly',
  'free complimentary included|charge charged fee pay extra',
  'hot warm heated|cold cool lukewarm freezing',
  'warm cosy cozy heated|cold freezing chilly draughty drafty',
  'fast quick speedy prompt|slow sluggish delayed late',
  'clean spotless immaculate|dirty filthy grubby stained',
  'soft comfy comfortable|hard uncomfortable lumpy',
  'fresh|stale old mouldy moldy rotten',
  'new modern renovated|old dated outdated tired shabby',
  'bright light sunny airy|dark dim gloomy dingy',
  'close near nearby|far remote',
  'busy crowded packed|empty deserted',
  'friendly polite kind welcoming|rude unfriendly impolite',
  'short|long',
  'tender juicy|tough dry chewy',
  'crispy crisp crunchy|soggy limp',
  'easy simple|difficult hard complicated',
]

/** The other side of each word; a word on two scales has both. */
const OPPOSITES: ReadonlyMap<string, readonly string[]> = (() => {
  const found = new Map<string, string[]>()
  for (const scale of SCALES) {
    const [one = [], other = []] = scale.split('|').map((side) => side.split(' '))
    for (const word of one) found.set(word, [...(found.get(word) ?? []), ...other])
    for (const word of other) found.set(word, [...(found.get(word) ?? []), ...one])
  }
  return found
})()

/** The same by row in a table. */
export function otherSides(words: Vocabulary): ReadonlyMap<number, readonly number[]> {
  const found = [...OPPOSITES].map(([word, others]) => [words.place(word), words.places(others)] as const)
  return new Map(found.filter(([id]) => id >= 0))
}

/** First words of a question or a request. */
const ASKING = new Set(
  `is are am was were do does did can could will would should shall has have had may might what which who whom whose when
   where why how any anyone anybody whether tell describe`.split(/\s+/),
)

/** Whether a query is a question, which both sides of a scale answer; a few words without a question want one side. */
export function isQuestion(text: string): boolean {
  if (/[?¿]/u.test(text)) return true
  const words = text.toLowerCase().match(/[\p{L}']+/gu) ?? []
  if (ASKING.has(words[0] ?? '')) return true
  return /\b(?:know|wonder(?:ing)?|tell me|find out|check|see|confirm|ask(?:ing)?) (?:if|whether|about|how|what|which)\b/iu.test(
    text,
  )
}
