/** Average precision, nDCG at 10 (binary gains) and reciprocal rank of one query; ties keep the pool's order. */
export function ranking(scores: ArrayLike<number>, isRelevant: (position: number) => boolean, relevantCount: number) {
  const order = Array.from({ length: scores.length }, (_, i) => i).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))
  let found = 0
  let precision = 0
  let gain = 0
  let first = 0
  for (const [rank, position] of order.entries()) {
    if (!isRelevant(position)) continue
    found++
    if (first === 0) first = rank + 1
    precision += found / (rank + 1)
    if (rank < 10) gain += 1 / Math.log2(rank + 2)
  }
  let ideal = 0
  for (let rank = 0; rank < Math.min(10, relevantCount); rank++) ideal += 1 / Math.log2(rank + 2)
  return {
    ap: relevantCount ? precision / relevantCount : 0,
    ndcg: ideal ? gain / ideal : 0,
    rr: first ? 1 / first : 0,
  }
}

/** Ranks from 0, ties sharing their mean rank. */
function ranks(values: ArrayLike<number>): Float64Array {
  const order = Array.from({ length: values.length }, (_, i) => i).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
  const out = new Float64Array(values.length)
  for (let i = 0; i < order.length; ) {
    let j = i
    while (j + 1 < order.length && values[order[j + 1] ?? 0] === values[order[i] ?? 0]) j++
    for (let k = i; k <= j; k++) out[order[k] ?? 0] = (i + j) / 2
    i = j + 1
  }
  return out
}

/** Probability that a positive scores above a negative (Mann–Whitney). */
export function auc(scores: ArrayLike<number>, positive: ArrayLike<boolean | number>): number {
  const rank = ranks(scores)
  let sum = 0
  let count = 0
  for (let i = 0; i < rank.length; i++) {
    if (!positive[i]) continue
    sum += rank[i] ?? 0
    count++
  }
  return (sum - (count * (count - 1)) / 2) / (count * (rank.length - count))
}

export function spearman(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const [x, y] = [ranks(a), ranks(b)]
  const mean = (x.length - 1) / 2
  let [xy, xx, yy] = [0, 0, 0]
  for (let i = 0; i < x.length; i++) {
    const [dx, dy] = [(x[i] ?? 0) - mean, (y[i] ?? 0) - mean]
    xy += dx * dy
    xx += dx * dx
    yy += dy * dy
  }
  return xy / Math.sqrt(xx * yy)
}

/** Precision and recall of `score >= floor`. */
export function atFloor(scores: ArrayLike<number>, positive: ArrayLike<boolean | number>, floor: number) {
  let [hits, passed, all] = [0, 0, 0]
  for (let i = 0; i < scores.length; i++) {
    const good = positive[i] ? 1 : 0
    all += good
    if ((scores[i] ?? 0) < floor) continue
    passed++
    hits += good
  }
  const precision = passed ? hits / passed : 1
  const recall = hits / all
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) || 0 }
}

/** The floor with the best F-measure; `beta` below 1 weighs precision more. */
export function bestFloor(scores: ArrayLike<number>, positive: ArrayLike<boolean | number>, beta: number): number {
  const order = Array.from({ length: scores.length }, (_, i) => i).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))
  const all = order.reduce((sum, i) => sum + (positive[i] ? 1 : 0), 0)
  let [hits, best, floor] = [0, -1, 1]
  for (const [i, at] of order.entries()) {
    if (positive[at]) hits++
    const f = ((1 + beta * beta) * hits) / (i + 1 + beta * beta * all)
    if (f > best) [best, floor] = [f, scores[at] ?? 0]
  }
  return floor
}

export const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length

export interface Interval {
  gain: number
  /** Of 95 %. */
  low: number
  high: number
}

/** Mean difference of paired values, with the interval that resampling the pairs gives (Efron 1979); a fixed seed. */
export function gainOf(values: readonly number[], others: readonly number[], samples = 2000): Interval {
  const differences = values.map((value, i) => value - (others[i] ?? 0))
  let state = 1
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
  const means = Array.from({ length: samples }, () => {
    let sum = 0
    for (let i = 0; i < differences.length; i++) sum += differences[Math.floor(random() * differences.length)] ?? 0
    return sum / differences.length
  }).sort((a, b) => a - b)
  const at = (share: number) => means[Math.floor(share * samples)] ?? 0
  return { gain: mean(differences), low: at(0.025), high: at(0.975) }
}
