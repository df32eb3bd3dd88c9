/**
 * Time of one search in memory by the number of its excerpts, without database and HTTP, each with 1.9 vectors, beside
 * usearch's native exact search and sqlite-vec over the same int8 vectors; one thread each, in turn. The two are no
 * dependencies of the project: `--peers` is a folder in which `npm install usearch sqlite-vec better-sqlite3` has run.
 *
 *   npx tsx bench/search/by-size.ts --peers /tmp/peers
 */
import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { BlockAllocator } from '../../server/search/memory/block-allocator.ts'
import { ExcerptTable } from '../../server/search/memory/excerpt-table.ts'
import { findCandidatesInMemory } from '../../server/search/memory/find-candidates.ts'
import { createScan } from '../../server/search/memory/kernel.ts'
import { nearestExcerpts } from '../../server/search/memory/nearest-excerpts.ts'
import { scanRequest } from '../../server/search/memory/scan-request.ts'
import { thresholdsOf } from '../../server/search/policy.ts'
import { uuidBytes } from '../../server/sql/uuid.ts'
import { flags, median, timed } from '../measure.ts'

const DIMENSIONS = 259
/** What a search reads of each, as of the built-in model's vectors. */
const DECISIVE = 112
/** Components stand in the order of what they tell, as that model's do: of a sentence the last 32 of 256 hold .55, the last 109 .82. */
const SIZES = Array.from({ length: DIMENSIONS }, (_, i) => 90 * (DIMENSIONS - i) ** -0.44)
const VECTORS_PER_EXCERPT = 1.9
const NEAREST = 100

const options = flags({ sizes: '1000,10000,100000,1000000', projects: '1,10,100,1000', rounds: '9', peers: '' })
const rounds = Number(options.rounds)

/** Vectors around a few hundred topics, so that some of them are near a query and most are not. */
const topics = Array.from({ length: 300 }, () => SIZES.map((size) => gaussian() * size))
function vector(): Int8Array {
  const topic = topics[Math.floor(Math.random() * topics.length)] ?? []
  const values = SIZES.map((size, i) => (topic[i] ?? 0) * 0.7 + gaussian() * size * 0.8)
  return Int8Array.from(values, (value) => Math.max(-127, Math.min(127, value)))
}

function gaussian(): number {
  return Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random())
}

/** What `array_send` makes of vectors. */
function sent(vectors: readonly Int8Array[]): Buffer {
  const bytes = Buffer.alloc(20 + vectors.length * (8 + DIMENSIONS * 4))
  let at = 20
  for (const values of vectors) {
    bytes.writeUInt32BE(4 + DIMENSIONS * 4, at)
    bytes.writeUInt16BE(DIMENSIONS, at + 4)
    at += 8
    for (const value of values) at = bytes.writeFloatBE(value, at)
  }
  return bytes
}

function fill(table: ExcerptTable, excerpts: number, each: (values: Int8Array) => void = () => {}): void {
  for (let i = 0; i < excerpts; i++) {
    const vectors = Array.from({ length: i % 10 === 9 ? 1 : 2 }, vector)
    for (const values of vectors) each(values)
    const lexemes = Array.from({ length: 12 }, () => `w${Math.floor(5_000 ** Math.random())}`).join('\n')
    table.append({
      reviewId: uuidBytes(randomUUID()),
      id: uuidBytes(randomUUID()),
      ordinal: 0,
      rating: 5,
      sentiment: 'positive',
      hidden: false,
      complaint: false,
      source: 'google',
      occurredAt: null,
      config: 'english',
      lexemes: Buffer.from(lexemes),
      metadata: null,
      vectors: sent(vectors),
    })
  }
}

function requestTo(table: ExcerptTable) {
  const stems = ['w1', 'w40', 'w900']
  return scanRequest(table, {
    vector: Float32Array.from(vector()),
    forms: [{ config: 'english', stems, other: stems.map(() => []), counts: stems.map(() => true) }],
    policy: { minRating: 4, withoutComplaints: false, sources: undefined, since: undefined, metadata: [] },
    thresholds: thresholdsOf(0.66),
    depth: { among: 'nearest', limit: 100 },
  })
}

function openScanner(allocator: BlockAllocator) {
  return { views: allocator.views, scan: createScan(allocator.memory), scratches: [allocator.allocate()] }
}

type Engine = (query: Int8Array) => unknown

/** The peers over the same vectors, those that are there. */
function openPeers(vectors: Int8Array, count: number): Record<string, Engine> {
  const engines: Record<string, Engine> = {}
  for (const [name, open] of [
    ['usearch exact', openUsearch],
    ['usearch exact, float32', openUsearchFloat],
    ['sqlite-vec', openSqliteVec],
  ] as const) {
    try {
      if (options.peers !== '') engines[name] = open(createRequire(join(options.peers, 'package.json')), vectors, count)
    } catch (error) {
      console.log(`without ${name}: ${error instanceof Error ? error.message.split('\n')[0] : error}`)
    }
  }
  return engines
}

function openUsearch(require: NodeJS.Require, vectors: Int8Array): Engine {
  const { exactSearch, MetricKind } = require('usearch')
  return (query) => exactSearch(vectors, query, DIMENSIONS, NEAREST, MetricKind.Cos, 1)
}

function openUsearchFloat(require: NodeJS.Require, vectors: Int8Array): Engine {
  const { exactSearch, MetricKind } = require('usearch')
  const floats = Float32Array.from(vectors)
  return (query) => exactSearch(floats, Float32Array.from(query), DIMENSIONS, NEAREST, MetricKind.Cos, 1)
}

function openSqliteVec(require: NodeJS.Require, vectors: Int8Array, count: number): Engine {
  const database = require('better-sqlite3')(':memory:')
  require('sqlite-vec').load(database)
  // It takes lengths that are multiples of eight.
  const padded = new Int8Array(Math.ceil(DIMENSIONS / 8) * 8)
  database.exec(`create virtual table vectors using vec0(embedding int8[${padded.length}] distance_metric=cosine)`)
  const insert = database.prepare('insert into vectors (rowid, embedding) values (?, vec_int8(?))')
  database.transaction(() => {
    for (let i = 0; i < count; i++) {
      padded.set(vectors.subarray(i * DIMENSIONS, (i + 1) * DIMENSIONS))
      insert.run(BigInt(i + 1), Buffer.from(padded.buffer))
    }
  })()
  const select = database.prepare('select rowid from vectors where embedding match vec_int8(?) and k = ?')
  return (query) => {
    padded.set(query)
    return select.all(Buffer.from(padded.buffer), NEAREST)
  }
}

for (const size of options.sizes.split(',').map(Number)) {
  const allocator = new BlockAllocator(3.9e9)
  const table = new ExcerptTable(allocator, DIMENSIONS, DECISIVE)
  const vectors = new Int8Array(Math.ceil(size * VECTORS_PER_EXCERPT) * DIMENSIONS)
  let count = 0
  fill(table, size, (values) => vectors.set(values, count++ * DIMENSIONS))
  const scanner = openScanner(allocator)
  const engines: Record<string, Engine> = {
    'search in memory': () => findCandidatesInMemory(scanner, [requestTo(table)]),
    'its scan alone': () => nearestExcerpts(scanner, [{ ...requestTo(table), nearest: NEAREST }]),
    ...openPeers(vectors.subarray(0, count * DIMENSIONS), count),
  }
  const times: Record<string, number[]> = {}
  for (let round = -2; round < rounds; round++) {
    const query = vector()
    for (const [name, engine] of Object.entries(engines)) {
      const ms = await timed(async () => engine(query))
      if (round < 0) continue
      times[name] = [...(times[name] ?? []), ms]
    }
  }
  const told = Object.entries(times).map(
    ([name, ms]) => `${name} ${Math.min(...ms).toFixed(2)} (p50 ${median(ms).toFixed(2)}) ms`,
  )
  console.log(`${size} excerpts, ${Math.round(table.bytes / size)} bytes each: ${told.join(', ')}`)
}

// A project of 1,000 excerpts beside ever more of its kind in the same memory.
for (const projects of options.projects.split(',').map(Number)) {
  const allocator = new BlockAllocator(3.9e9)
  const scanner = openScanner(allocator)
  const tables = Array.from({ length: projects }, () => new ExcerptTable(allocator, DIMENSIONS, DECISIVE))
  for (const table of tables) fill(table, 1_000)
  const ms: number[] = []
  for (let round = 0; round < 200; round++) {
    const table = tables[Math.floor(Math.random() * projects)]
    if (table) ms.push(await timed(async () => findCandidatesInMemory(scanner, [requestTo(table)])))
  }
  console.log(
    `${projects} projects of 1,000 excerpts: ${Math.min(...ms).toFixed(2)} (p50 ${median(ms).toFixed(2)}) ms a search`,
  )
}
