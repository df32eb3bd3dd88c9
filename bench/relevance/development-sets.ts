import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'

const document = v.object({
  id: v.string(),
  text: v.string(),
  pool: v.string(),
  labels: v.optional(v.array(v.tuple([v.string(), v.string()]))),
})
const query = v.object({ query: v.string(), relevant: v.array(v.string()), pool: v.array(v.string()) })
const similar = v.object({ a: v.string(), b: v.string(), score: v.number() })
const judged = v.object({ q: v.string(), t: v.string(), y: v.number(), src: v.string() })

/** One query of a ranking task: positions into the task's documents. */
export interface RankingQuery {
  text: string
  pool: number[]
  /** How many businesses the pool is made of. */
  businesses: number
  relevant: Set<number>
}

export interface RankingTask {
  name: 'dstc' | 'aspect' | 'subjqa'
  documents: string[]
  /** Id and pool of each document. */
  sources: { id: string; pool: string }[]
  queries: RankingQuery[]
}

/** An aspect query with sentences of its aspect: in its tone, and in the opposite one only. */
export interface ToneQuery {
  text: string
  same: number[]
  opposite: number[]
}

/** A sentence whose labelled aspects are all praised, or all blamed. */
export interface TonedSentence {
  text: string
  praise: boolean
  source: string
}

export interface DevelopmentSets {
  toned: TonedSentence[]
  tasks: RankingTask[]
  tones: ToneQuery[]
  similar: v.InferOutput<typeof similar>[]
  judged: v.InferOutput<typeof judged>[]
  offDomain: string[]
  offDomainPool: string[]
}

function read<T extends v.GenericSchema>(folder: string, name: string, row: T): v.InferOutput<T>[] {
  const path = join(folder, 'dev', `${name}.jsonl.xz`)
  if (!existsSync(path)) {
    throw new Error(`${path} is not there. Name the corpus folder with --corpus=PATH or PULLQUOTE_CORPUS.`)
  }
  const run = spawnSync('xz', ['-dc', path], { maxBuffer: 1 << 30 })
  if (run.error !== undefined || run.status !== 0) throw new Error(`xz could not read ${path}`)
  const lines = run.stdout.toString('utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => v.parse(row, JSON.parse(line)))
}

/** Reads the corpus page's development sets; needs the `xz` command. */
export function readDevelopmentSets(folder: string): DevelopmentSets {
  const tasks: RankingTask[] = []
  let tones: ToneQuery[] = []
  let toned: TonedSentence[] = []
  for (const name of ['dstc', 'aspect', 'subjqa'] as const) {
    const documents = read(folder, `${name}.docs`, document)
    const position = new Map(documents.map((row, i) => [row.id, i]))
    const pools = new Map<string, number[]>()
    for (const [i, row] of documents.entries()) pools.set(row.pool, [...(pools.get(row.pool) ?? []), i])
    const queries = read(folder, `${name}.q`, query).map((row) => ({
      text: row.query,
      pool: row.pool.flatMap((pool) => pools.get(pool) ?? []),
      businesses: row.pool.length,
      relevant: new Set(row.relevant.flatMap((id) => position.get(id) ?? [])),
    }))
    tasks.push({ name, documents: documents.map((row) => row.text), sources: documents, queries })
    if (name !== 'aspect') continue
    tones = toneQueries(documents, queries)
    toned = documents.flatMap(({ text, labels = [], pool }) => {
      const tone = labels[0]?.[1]
      const one = (tone === 'positive' || tone === 'negative') && labels.every(([, other]) => other === tone)
      return one ? { text, praise: tone === 'positive', source: pool } : []
    })
  }
  return {
    tasks,
    tones,
    toned,
    similar: read(folder, 'stsb', similar),
    judged: read(folder, 'pairs', judged),
    offDomain: read(folder, 'off', v.object({ q: v.string() })).map((row) => row.q),
    offDomainPool: read(folder, 'offpool', v.object({ t: v.string() })).map((row) => row.t),
  }
}

function toneQueries(documents: v.InferOutput<typeof document>[], queries: RankingQuery[]): ToneQuery[] {
  const has = (i: number, aspect: string, tone: string) =>
    documents[i]?.labels?.some(([a, t]) => a === aspect && t === tone) ?? false
  const out: ToneQuery[] = []
  for (const { text, pool, relevant } of queries) {
    const [first] = relevant
    const shared = documents[first ?? -1]?.labels?.find(([a, t]) => [...relevant].every((i) => has(i, a, t)))
    if (shared === undefined) continue
    const [aspect, tone] = shared
    if (tone !== 'positive' && tone !== 'negative') continue
    const other = tone === 'positive' ? 'negative' : 'positive'
    const opposite = pool.filter((i) => has(i, aspect, other) && !has(i, aspect, tone))
    if (opposite.length >= 3) out.push({ text, same: [...relevant], opposite })
  }
  return out
}
