import { atFloor, mean, ranking } from './measures.ts'
import { OTHER_LANGUAGES } from './other-languages.ts'
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

/** Each language's queries over its own sentences. */
export async function measureLanguages(scorer: Scorer, floor: number | undefined): Promise<LanguageFigures[]> {
  const out: LanguageFigures[] = []
  for (const { language, documents, queries } of OTHER_LANGUAGES) {
    const texts = queries.map(({ text }) => text)
    const score = await scorer.fit(documents, texts)
    const every = documents.map((_, i) => i)
    const scores = queries.map((_, i) => score(i, every))
    const rows = queries.map(({ relevant }, i) => ranking(scores[i] ?? [], (at) => relevant.has(at), relevant.size))
    const figures: LanguageFigures = {
      language,
      name: scorer.name,
      map: mean(rows.map((row) => row.ap)),
      rr: mean(rows.map((row) => row.rr)),
    }
    if (floor !== undefined) {
      const good = queries.flatMap(({ relevant }) => every.map((at) => relevant.has(at)))
      const { precision, recall } = atFloor(scores.flat(), good, floor)
      Object.assign(figures, { precision, recall })
    }
    out.push(figures)
  }
  return out
}
