import * as assert from 'uvu/assert'
import { ServerSilent } from '../../server/db/bulkhead.ts'
import type { Log } from '../../server/deps.ts'
import { DueProjectFinder, type DueSource } from '../../server/indexing/due-project-finder.ts'
import type { DueProject } from '../../server/sql/queue/due.ts'
import { suite } from '../suite.ts'

const test = suite('which projects have due jobs, on a cluster')

/** As PostgreSQL's errors are, with what Citus says when a server does not answer. */
const LOST = Object.assign(new Error('connection to the remote node failed'), { code: '08006', severity: 'ERROR' })
const TIMEOUT = Object.assign(new Error('canceling statement'), { code: '57014', severity: 'ERROR' })
const PLACES = new Map([
  [1, ['a', 'b']],
  [2, ['c']],
])

/** A cluster of two servers: `one`, `two` and `all` are what it throws, if anything. */
class Cluster implements DueSource {
  asked: string[] = []
  lost: { one?: unknown; two?: unknown; all?: unknown } = {}
  places = PLACES

  async all() {
    this.asked.push('all')
    if (this.lost.all) throw this.lost.all
    return ['a', 'b', 'c'].map(due)
  }

  async servers() {
    return this.places
  }

  async one(server: number, projectIds: string[]) {
    this.asked.push(`server ${server}`)
    const error = server === 1 ? this.lost.one : this.lost.two
    if (error) throw error
    return projectIds.map(due)
  }
}

const due = (projectId: string): DueProject => ({ projectId, since: new Date(0) })
const ids = (found: DueProject[]) => found.map(({ projectId }) => projectId).sort()

function look(cluster: Cluster) {
  const words: string[] = []
  const log: Log = {
    debug() {},
    info: (_, message) => words.push(message),
    warn: (_, message) => words.push(message),
    error() {},
  }
  return { looked: new DueProjectFinder(cluster, log), words }
}

test('all servers are asked at once while all answer', async () => {
  const cluster = new Cluster()
  const { looked } = look(cluster)
  assert.equal(ids(await looked.due()), ['a', 'b', 'c'])
  assert.equal(ids(await looked.due()), ['a', 'b', 'c'])
  assert.equal(cluster.asked, ['all', 'all'])
})

for (const [how, error] of Object.entries({ 'is gone': LOST, 'is silent': new ServerSilent(), 'times out': TIMEOUT })) {
  test(`when one ${how}, the projects of the others are found, and it is said once`, async () => {
    const cluster = new Cluster()
    const { looked, words } = look(cluster)
    cluster.lost = { all: error, one: error }
    assert.equal(ids(await looked.due()), ['c'])
    assert.equal(ids(await looked.due()), ['c'])
    assert.equal(cluster.asked, ['all', 'server 1', 'server 2', 'server 1', 'server 2'])
    assert.equal(words, ['a server of the cluster is lost: its reviews wait, those of the others are indexed'])
  })
}

test('when it answers again, all are asked at once again', async () => {
  const cluster = new Cluster()
  const { looked, words } = look(cluster)
  cluster.lost = { all: LOST, two: LOST }
  assert.equal(ids(await looked.due()), ['a', 'b'])
  cluster.lost = {}
  assert.equal(ids(await looked.due()), ['a', 'b', 'c'])
  assert.equal(ids(await looked.due()), ['a', 'b', 'c'])
  assert.is(cluster.asked.at(-1), 'all')
  assert.ok(words.includes('every server of the cluster answers again'))
})

test('a claim that found a server gone makes the next look ask each by itself', async () => {
  const cluster = new Cluster()
  const { looked } = look(cluster)
  looked.serverLost()
  await looked.due()
  assert.equal(cluster.asked, ['server 1', 'server 2'])
})

const failures: [string, Cluster['lost'], Map<number, string[]>][] = [
  ['when none answers, the database is away', { all: LOST, one: LOST, two: LOST }, PLACES],
  ['where there is no cluster, a lost database is away', { all: LOST }, new Map()],
  ['another error is no lost server', { all: new RangeError('broken') }, PLACES],
  ['nor is it one when a server answers it', { all: LOST, two: new RangeError('broken') }, PLACES],
]
for (const [title, lost, places] of failures) {
  test(title, async () => {
    const cluster = new Cluster()
    Object.assign(cluster, { lost, places })
    const error = await look(cluster)
      .looked.due()
      .catch((thrown: unknown) => thrown)
    assert.ok(Object.values(lost).includes(error), String(error))
  })
}

test.run()
