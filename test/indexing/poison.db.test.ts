import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { connect } from '../../server/db/connect.ts'
import { openEmbedded } from '../../server/db/embedded/open-embedded.ts'
import type { Pool } from '../../server/deps.ts'
import { queueCounts } from '../../server/sql/queue/counts.ts'
import { listSetAside } from '../../server/sql/queue/set-aside.ts'
import { childArguments } from '../child.ts'
import { copyTemplateInto, createPostgresDatabase, silent } from '../database.ts'
import { suite } from '../suite.ts'
import { PipelineFixture } from './pipeline.ts'

const test = suite('a review that ends or blocks every server that indexes it')
const onPostgres = process.env.PULLQUOTE_TEST_DATABASE === 'postgres'
const HEALTHY = 12
const script = await childArguments(join(import.meta.dirname, 'worker-process.ts'))

/** What its processes are told, and the database itself, which on the embedded one nobody else may have open meanwhile. */
interface Place {
  name: string
  open(): Promise<{ sql: Pool; close(): Promise<void> }>
  remove(): Promise<void>
}

async function place(): Promise<Place> {
  if (onPostgres) {
    const { url, drop } = await createPostgresDatabase()
    return {
      name: url,
      async open() {
        const sql = connect({ url, max: 2 })
        return { sql, close: () => sql.end({ timeout: 5 }) }
      },
      remove: drop,
    }
  }
  const home = await mkdtemp(join(tmpdir(), 'pullquote-poison-'))
  await copyTemplateInto(home)
  return {
    name: home,
    open: () => openEmbedded(home, silent, { shortLived: true }),
    remove: () => rm(home, { recursive: true, force: true }),
  }
}

/**
 * Runs a worker until its process ends, or until it says nothing for longer than a lease takes to run out.
 *
 * @returns how often the poison was tasted
 */
async function run({ name }: Place, modelId: number, poison: 'kill' | 'block'): Promise<number> {
  const args = [...script, name, String(modelId), '0', poison]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  let lastWord = Date.now()
  child.stdout.on('data', (data: Buffer) => {
    said += data
    lastWord = Date.now()
  })
  const exited = once(child, 'exit')
  let over = false
  void exited.then(() => {
    over = true
  })
  const started = Date.now()
  while (!over && (Date.now() - lastWord < QUIET_MS || (said === '' && Date.now() - started < 4 * QUIET_MS)))
    await sleep(50)
  if (!over) child.kill('SIGTERM')
  // One that is blocked hears nothing.
  for (const end = Date.now() + 2_000; !over && Date.now() < end; ) await sleep(20)
  child.kill('SIGKILL')
  await exited
  return said.split('\n').filter((line) => line.startsWith('poisoned')).length
}
const QUIET_MS = 4_000

// A blocked thread is the same to the embedded database, whose one server must be ended by somebody: it is tried once.
for (const poison of onPostgres ? (['kill', 'block'] as const) : (['kill'] as const)) {
  test(`it is set aside with a reason after three tries (${poison}), and the others are indexed`, async () => {
    const at = await place()
    try {
      let opened = await at.open()
      const pipeline = new PipelineFixture(opened.sql)
      await pipeline.reset()
      const healthy = Array.from({ length: HEALTHY }, (_, i) => ({
        external_id: `r${i}`,
        text: `Review ${i} is well.`,
      }))
      // Unrated, so that its words are classified.
      await pipeline.push([
        ...healthy.slice(6),
        { external_id: 'bad', text: 'This is poison.', rating: null },
        ...healthy.slice(0, 6),
      ])
      await opened.close()
      let tasted = 0
      let queued = -1
      for (let processes = 0; processes < 12 && queued !== 0; processes++) {
        const found = await run(at, pipeline.modelId, poison)
        tasted += found
        // One that tasted it ended before it could set it aside.
        if (found > 0) continue
        opened = await at.open()
        queued = (await queueCounts(opened.sql)).queued
        await opened.close()
      }
      opened = await at.open()
      try {
        const { total, reviews } = await listSetAside(opened.sql, { limit: 10 })
        assert.equal([queued, total, reviews[0]?.external_id], [0, 1, 'bad'])
        assert.match(reviews[0]?.reason ?? '', /stopped or was blocked each time it indexed this review alone/)
        const [done] = await opened.sql`select count(*)::int as n from reviews where status = 'indexed'`
        assert.is(done?.n, HEALTHY)
        assert.ok(tasted >= 2 && tasted <= 3, `tasted ${tasted} times`)
      } finally {
        await opened.close()
      }
    } finally {
      await at.remove()
    }
  })
}

test.run()
