import type { DevelopmentSets } from './development-sets.ts'
import { atFloor, auc, bestFloor, mean, ranking, spearman } from './measures.ts'
import type { Scorer } from './scorers.ts'

export interface Figures {
  name: string
  dstcMap: number
  dstcNdcg: number
  aspectNdcg: number
  subjqaMrr: number
  tone?: number
  stsb?: number
  auc?: number
  floor?: number
  /** The floor with the best F0.5: it should be near the default one. */
  bestFloor?: number
  precision?: number
  recall?: number
  silent?: number
}

/**
 * The corpus page's table for one scorer. A provider is measured at `floor` (its cosines are calibrated); a baseline
 * has no floor of its own, so it gets the one with its best F1.
 */
export async function measure(scorer: Scorer, sets: DevelopmentSets, floor: number | undefined): Promise<Figures> {
  const out: Figures = { name: scorer.name, dstcMap: 0, dstcNdcg: 0, aspectNdcg: 0, subjqaMrr: 0 }
  for (const { name, documents, queries } of sets.tasks) {
    const texts = queries.map((query) => query.text)
    const score = await scorer.fit(documents, texts)
    const rows = queries.map(({ pool, relevant }, i) =>
      ranking(score(i, pool), (position) => relevant.has(pool[position] ?? -1), relevant.size),
    )
    if (name === 'dstc') {
      out.dstcMap = mean(rows.map((row) => row.ap))
      out.dstcNdcg = mean(rows.map((row) => row.ndcg))
    } else if (name === 'aspect') {
      out.aspectNdcg = mean(rows.map((row) => row.ndcg))
      out.tone = mean(
        sets.tones.map(({ text, same, opposite }) =>
          auc(
            score(texts.indexOf(text), [...same, ...opposite]),
            [...same, ...opposite].map((_, i) => i < same.length),
          ),
        ),
      )
    } else out.subjqaMrr = mean(rows.map((row) => row.rr))
  }
  if (scorer.pairwise === undefined) return out
  const { similar, judged, offDomain, offDomainPool } = sets
  const sts = await scorer.pairwise(
    similar.map((row) => row.a),
    similar.map((row) => row.b),
    ['document', 'document'],
  )
  out.stsb = spearman(
    sts,
    similar.map((row) => row.score),
  )
  const scores = await scorer.pairwise(
    judged.map((row) => row.q),
    judged.map((row) => row.t),
    ['query', 'document'],
  )
  const good = judged.map((row) => row.y)
  out.auc = auc(scores, good)
  out.floor = floor ?? bestFloor(scores, good, 1)
  out.bestFloor = bestFloor(scores, good, 0.5)
  Object.assign(out, atFloor(scores, good, out.floor))
  const score = await scorer.fit(offDomainPool, offDomain)
  const every = offDomainPool.map((_, i) => i)
  const at = out.floor
  out.silent = mean(offDomain.map((_, i) => (score(i, every).every((s) => s < at) ? 1 : 0)))
  return out
}
