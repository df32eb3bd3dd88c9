import { readUuid } from '../../sql/uuid.ts'
import type { Candidates } from '../candidates.ts'
import { type Candidate, fuse, IDF_POWER, type Ranked } from '../rank.ts'
import type { Views } from './block-allocator.ts'
import { compareKeys, type NearExcerpts, nearestExcerpts } from './nearest-excerpts.ts'
import type { ScanRequest } from './scan-request.ts'
import { selectLeast } from './select-least.ts'
import type { Scanner } from './table-scan.ts'
import { byteOffset } from './table-view.ts'

interface Found extends Omit<Ranked, 'id' | 'reviewId' | 'ordinal'> {
  excerpt: number
}

/** What `findCandidates` in sql/find-candidates.ts returns, for several searches of one table in memory. */
export function findCandidatesInMemory(scanner: Scanner, requests: readonly ScanRequest[]): Candidates[] {
  const nears = nearestExcerpts(scanner, requests)
  return requests.map((request, i) => passingCandidates(scanner.views(), request, nears[i] as NearExcerpts))
}

/** Of the nearest excerpts, those that pass by cosine or by words. */
export function passingCandidates(views: Views, request: ScanRequest, near: NearExcerpts): Candidates {
  const { depth, thresholds, table, nearest: limit } = request
  const { excerpts, distances, words } = near
  const { weights, looked, farthest } = idf(views, request, near, limit)
  const total = weights.reduce((sum, weight) => sum + weight, 0)

  const passing: Found[] = []
  for (let i = 0; i < excerpts.length; i++) {
    const excerpt = excerpts[i] ?? 0
    const cosine = 1 - (distances[i] ?? 0)
    const has = words[i] ?? 0
    const matchesHalf = has !== 0 && hasHalf(views, request, excerpt, has)
    if (cosine < thresholds.floor && !matchesHalf) continue
    const textRank = has === 0 ? null : weightOf(weights, has) / total
    passing.push({ excerpt, cosine, matchesHalf, textRank, fused: fuse({ cosine, textRank }) })
  }
  const byKey = (a: Found, b: Found) =>
    b.cosine - a.cosine || compareKeys(views, table.excerptBlocks, a.excerpt, b.excerpt)
  const placesTied = (a: number, b: number) => byKey(passing[a] as Found, passing[b] as Found)
  const first = selectLeast(
    Float64Array.from(passing, (found) => -found.fused),
    depth.limit,
    placesTied,
  )
  const best = first.flatMap((place) => passing[place] ?? []).sort((a, b) => b.fused - a.fused || byKey(a, b))
  return {
    passing: best.map((found) => candidateOf(views, table.excerptBlocks, found)),
    horizon: depth.among === 'nearest' && looked === limit ? farthest : null,
  }
}

/** The rarity of each word among the nearest, and the cosine of the last of them. */
function idf(views: Views, { words, table }: ScanRequest, near: NearExcerpts, limit: number) {
  const byKey = (a: number, b: number) =>
    compareKeys(views, table.excerptBlocks, near.excerpts[a] ?? 0, near.excerpts[b] ?? 0)
  const places = selectLeast(near.distances, limit, byKey)
  const counts = new Float64Array(words.count)
  let most = 0
  for (const place of places) {
    most = Math.max(most, near.distances[place] ?? 0)
    const has = near.words[place] ?? 0
    for (let bit = 0; bit < words.count; bit++) if ((has >>> bit) & 1) counts[bit] = (counts[bit] ?? 0) + 1
  }
  const looked = places.length
  const weights = Array.from(counts, (count) => Math.log(1 + (looked - count + 0.5) / (count + 0.5)) ** IDF_POWER)
  return { weights, looked, farthest: 1 - most }
}

/** Total weight of the words an excerpt has, summed in a fixed order. */
function weightOf(weights: readonly number[], has: number): number {
  let sum = 0
  for (let bit = 0; bit < weights.length; bit++) if ((has >>> bit) & 1) sum += weights[bit] ?? 0
  return sum
}

function hasHalf(views: Views, { table, words }: ScanRequest, excerpt: number, has: number): boolean {
  const needed = words.needed[views.u8[byteOffset(table.excerptBlocks, 'config', excerpt)] ?? 0] ?? 0
  if (needed === 0 || words.counted === 0) return false
  let matched = 0
  for (let left = has & words.counted; left !== 0; left &= left - 1) matched++
  return matched >= needed
}

function candidateOf(views: Views, blocks: Uint32Array, { excerpt, fused, ...found }: Found): Candidate {
  return {
    id: readUuid(views.u8, byteOffset(blocks, 'id', excerpt)),
    reviewId: readUuid(views.u8, byteOffset(blocks, 'reviewId', excerpt)),
    ordinal: views.i32[byteOffset(blocks, 'ordinal', excerpt) / 4] ?? 0,
    ...found,
  }
}
