import { atFloor, mean, ranking } from './measures.ts'
import { ENGLISH, type LanguageSet, OTHER_LANGUAGES } from './other-languages.ts'
import type { Scorer } from './scorers.ts'

export interface LanguageFigures {
  language: string
  name: string
  map: number
  rr: number
  /** At the floor; only for calibrated cosines. */
  precision?: number
  recall?: number
}

/** Each language's queries over its own sentences, English over those of the others, and the others over English. */
export async function measureLanguages(scorer: Scorer, floor: number | undefined): Promise<LanguageFigures[]> {
  const out: LanguageFigures[] = [await figures('English', ENGLISH, ENGLISH, scorer, floor)]
  for (const set of OTHER_LANGUAGES) {
    out.push(await figures(set.language, set, set, scorer, floor))
    out.push(await figures(`${set.language} asked in English`, ENGLISH, set, scorer, floor))
    out.push(await figures(`English asked in ${set.language}`, set, ENGLISH, scorer, floor))
  }
  return out
}

async function figures(
  language: string,
  { queries }: LanguageSet,
  { documents }: LanguageSet,
  scorer: Scorer,
  floor: number | undefined,
): Promise<LanguageFigures> {
  const texts = queries.map(({ text }) => text)
  const score = await scorer.fit(documents, texts)
  const every = documents.map((_, i) => i)
  const scores = queries.map((_, i) => score(i, every))
  const rows = queries.map(({ relevant }, i) => ranking(scores[i] ?? [], (at) => relevant.has(at), relevant.size))
  const out: LanguageFigures = {
    language,
    name: scorer.name,
    map: mean(rows.map((row) => row.ap)),
    rr: mean(rows.map((row) => row.rr)),
  }
  if (floor === undefined) return out
  const good = queries.flatMap(({ relevant }) => every.map((at) => relevant.has(at)))
  const { precision, recall } = atFloor(scores.flat(), good, floor)
  return { ...out, precision, recall }
}
