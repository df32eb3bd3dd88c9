import { randomUUID } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import * as assert from 'uvu/assert'
import { BlockAllocator } from '../../../server/search/memory/block-allocator.ts'
import { ExcerptTable } from '../../../server/search/memory/excerpt-table.ts'
import { findCandidatesInMemory } from '../../../server/search/memory/find-candidates.ts'
import { createScan } from '../../../server/search/memory/kernel.ts'
import { type ScanRequest, scanRequest } from '../../../server/search/memory/scan-request.ts'
import { ScanThreadLost, ScanThreads } from '../../../server/search/memory/scan-threads.ts'
import { thresholdsOf } from '../../../server/search/policy.ts'
import { uuidBytes } from '../../../server/sql/uuid.ts'
import { silent } from '../../database.ts'
import { suite } from '../../suite.ts'
import { until } from '../../waiting.ts'

const test = suite('the threads that search in memory')
const DIMENSIONS = 264
const EXCERPTS = 2_000
const allocator = new BlockAllocator(1e8)
const scanner = { views: allocator.views, scan: createScan(allocator.memory), scratches: [allocator.allocate()] }

let state = 11
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) | 0
  return (state >>> 8) / 2 ** 24
}
const topics = Array.from({ length: 5 }, () => Array.from({ length: DIMENSIONS }, () => random() * 80 - 40))
/** Few different components in another place, so that many excerpts are as near as others. */
const vector = () => {
  const topic = topics[Math.floor(random() * topics.length)] ?? []
  const turn = Math.floor(random() * 12)
  return topic.map((value, i) => Math.round(i % 12 === turn ? -value : value))
}

/** What `array_send` makes of vectors. */
function sent(vectors: readonly (readonly number[])[]): Buffer {
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

/** An environment that lost reviews of both its ends and got others, whose vectors therefore lie far from each other. */
function grownTable(excerpts = EXCERPTS): ExcerptTable {
  const table = new ExcerptTable(allocator, DIMENSIONS)
  const ids: string[] = []
  const add = (count: number) => {
    for (let i = 0; i < count; i++) {
      ids.push(randomUUID())
      table.append({
        reviewId: uuidBytes(ids.at(-1) ?? ''),
        id: uuidBytes(randomUUID()),
        ordinal: 0,
        rating: i % 7 === 0 ? 2 : 5,
        sentiment: 'positive',
        hidden: i % 11 === 0,
        complaint: false,
        source: 'google',
        occurredAt: null,
        config: 'english',
        lexemes: Buffer.from(`w${i % 3}\nw${i % 17}`),
        metadata: null,
        vectors: sent(Array.from({ length: 1 + (i % 4) }, vector)),
      })
    }
  }
  add(excerpts)
  for (const [i, id] of ids.slice(0, 150).entries()) table.remove([id, ids.at(-1 - i) ?? ''].map(uuidBytes))
  add(300)
  return table
}

function requestTo(table: ExcerptTable, more: Partial<ScanRequest> = {}): ScanRequest {
  const stems = ['w1', 'w2', 'w16']
  const request = scanRequest(table, {
    vector: Float32Array.from(vector()),
    forms: [{ config: 'english', stems, other: stems.map(() => []), counts: stems.map(() => true) }],
    policy: { minRating: 4, withoutComplaints: false, sources: undefined, since: undefined, metadata: [] },
    thresholds: thresholdsOf(random() < 0.5 ? 0.2 : 0.66),
    depth: { among: random() < 0.3 ? 'all' : 'nearest', limit: 100 },
  })
  return { ...request, nearest: [30, 300, 1_000][Math.floor(random() * 3)] ?? 0, ...more }
}

const opened: ScanThreads[] = []
function openThreads(threads: number): ScanThreads {
  const made = new ScanThreads({ allocator, log: silent, threads, partBytes: 65_536 })
  opened.push(made)
  return made
}
test.after(async () => {
  await Promise.all(opened.map((threads) => threads.stop()))
})

/** How often something was sent to a thread while `work` ran. */
async function sendings(work: () => Promise<unknown>): Promise<number> {
  const { postMessage } = Worker.prototype
  let sent = 0
  Worker.prototype.postMessage = function count(this: Worker, ...message: Parameters<typeof postMessage>) {
    sent++
    return postMessage.apply(this, message)
  }
  try {
    await work()
  } finally {
    Worker.prototype.postMessage = postMessage
  }
  return sent
}

test('a lone search is divided among the threads, and finds what one thread finds', async () => {
  const table = grownTable()
  const threads = openThreads(3)
  let settled = 0
  for (let i = 0; i < 40; i++) {
    const request = requestTo(table)
    const [alone] = findCandidatesInMemory(scanner, [request])
    assert.equal(await threads.find(request), alone)
    if (alone?.horizon !== null) settled++
  }
  assert.ok(settled > 5)
  const nearest = requestTo(table, { depth: { among: 'nearest', limit: 20 } })
  assert.is(await sendings(() => threads.find(nearest)), 3)
  assert.is(await sendings(() => threads.find({ ...nearest, depth: { among: 'all', limit: 20 } })), 1)
})

test('searches that come together are made together, and each finds what it finds alone', async () => {
  const tables = [grownTable(), grownTable(2 * EXCERPTS)]
  const threads = openThreads(2)
  const requests = Array.from({ length: 24 }, (_, i) =>
    requestTo(tables[i % 5 === 0 ? 1 : 0] ?? (tables[0] as ExcerptTable)),
  )
  let found: unknown[] = []
  const sent = await sendings(async () => {
    found = await Promise.all(requests.map((request) => threads.find(request)))
  })
  assert.equal(
    found,
    requests.map((request) => findCandidatesInMemory(scanner, [request])[0]),
  )
  assert.ok(sent < 12)
  assert.is(threads.scans, 24)
})

test('a thread that ends loses its own searches alone, and the others go on with another one', async () => {
  const table = grownTable()
  const threads = openThreads(2)
  const { postMessage } = Worker.prototype
  Worker.prototype.postMessage = function end(this: Worker) {
    Worker.prototype.postMessage = postMessage
    void this.terminate()
  }
  const requests = Array.from({ length: 6 }, () => requestTo(table, { depth: { among: 'nearest', limit: 100 } }))
  const outcomes = await Promise.allSettled(requests.map((request) => threads.find(request)))
  const [first, ...others] = outcomes
  assert.ok(first?.status === 'rejected' && first.reason instanceof ScanThreadLost)
  assert.equal(
    others.map((other) => other.status === 'fulfilled' && other.value),
    requests.slice(1).map((request) => findCandidatesInMemory(scanner, [request])[0]),
  )
  assert.is(threads.lost, 1)
})

test('the third thread in a row that ends leaves the one that it shared a search with free for others', async () => {
  const table = grownTable()
  const threads = openThreads(2)
  const { postMessage } = Worker.prototype
  for (const among of ['all', 'all', 'nearest'] as const) {
    Worker.prototype.postMessage = function end(this: Worker) {
      Worker.prototype.postMessage = postMessage
      void this.terminate()
    }
    const lost = await threads.find(requestTo(table, { depth: { among, limit: 100 } })).catch((error: unknown) => error)
    assert.instance(lost, ScanThreadLost)
  }
  const request = requestTo(table)
  const found = await until('the other one answers', () => threads.find(request).catch(() => undefined))
  assert.equal(found, findCandidatesInMemory(scanner, [request])[0])
})

test.run()
