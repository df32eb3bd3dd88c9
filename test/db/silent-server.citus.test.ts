import { connect as connectSocket, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { projectsByServer } from '../../server/db/cluster.ts'
import { watchCluster } from '../../server/db/cluster-watch.ts'
import { connect } from '../../server/db/connect.ts'
import { isServerOfClusterLost } from '../../server/db/unavailable.ts'
import { accept } from '../../server/ingest/accept.ts'
import { authenticate } from '../../server/sql/access/authenticate.ts'
import { createKey } from '../../server/sql/access/keys.ts'
import { activateModel } from '../../server/sql/installation/installation.ts'
import { createCitusDatabase } from '../citus-database.ts'
import { silent } from '../database.ts'
import { noDatabase } from '../http/no-database.ts'
import { openTransport } from '../http/transport.ts'
import { makeProject, review, sha256 } from '../sql/fixtures.ts'
import { suite } from '../suite.ts'

const test = suite('a server of the cluster that swallows what it is sent')

/** A server behind a wire that carries nothing while `swallows`. */
async function wireTo(host: string, port: number) {
  const sockets = new Set<Socket>()
  const wire = { swallows: false, port: 0, close() {} }
  const proxy = createServer((near) => {
    sockets.add(near)
    near.on('error', () => {})
    if (wire.swallows) return
    const far = connectSocket(port, host)
    sockets.add(far)
    far.on('error', () => {})
    near.on('data', (chunk) => !wire.swallows && far.write(chunk))
    far.on('data', (chunk) => !wire.swallows && near.write(chunk))
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  wire.port = typeof address === 'object' && address ? address.port : 0
  wire.close = () => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  }
  return wire
}

test("fails its own projects' requests at once, and keeps no other's waiting", async () => {
  const { url, drop } = await createCitusDatabase()
  const setUp = connect({ url })
  const keys = new Map<string, Buffer>()
  while ((await projectsByServer(setUp)).size < 2) {
    const { id: projectId } = await makeProject(setUp)
    const keyHash = sha256(projectId)
    await createKey(setUp, { projectId, env: 'live', kind: 'secret', keyHash, hint: 'abcd' })
    keys.set(projectId, keyHash)
  }
  const { modelId } = await activateModel(setUp, { name: 'one vector', dimensions: 3 })
  const [[mute = 0, [muteId = ''] = []] = [], [, [otherId = ''] = []] = []] = [...(await projectsByServer(setUp))]
  const [node] = await setUp<{ host: string; port: number }[]>`
    select nodename as host, nodeport as port from pg_dist_node where groupid = ${mute}`
  const wire = await wireTo(node?.host ?? '', node?.port ?? 0)
  await setUp`update pg_dist_node set nodename = '127.0.0.1', nodeport = ${wire.port} where groupid = ${mute}`
  await setUp.end()
  const sql = connect({ url })
  const watch = await watchCluster(sql, silent, { slowMs: 500, connectMs: 1_000 })
  const push = (id: string, name: string) => accept(sql, { id }, 'live', [review(name)], {})
  const hashOf = (id: string) => keys.get(id) ?? Buffer.alloc(32)
  const service = await openTransport('app.fetch', { ...noDatabase(), sql, model: { name: 'one vector', id: modelId } })
  const timed = async (work: Promise<unknown>) => {
    const begun = performance.now()
    const outcome = await work.then(
      () => 'done',
      (error: unknown) => (isServerOfClusterLost(error) ? 'lost' : error),
    )
    return { outcome, seconds: (performance.now() - begun) / 1000 }
  }
  try {
    for (const id of [muteId, otherId]) {
      await push(id, 'before')
      assert.is((await authenticate(sql, hashOf(id)))?.project.id, id)
    }
    wire.swallows = true
    // More than the pool has connections.
    const hanging = Array.from({ length: 12 }, (_, n) => timed(push(muteId, `swallowed ${n}`)))
    await sleep(100)
    const meanwhile = await timed(push(otherId, 'meanwhile'))
    assert.is(meanwhile.outcome, 'done')
    assert.ok(meanwhile.seconds < 1.5, `${meanwhile.seconds} s`)
    for (const { outcome, seconds } of await Promise.all(hanging)) {
      assert.is(outcome, 'lost')
      assert.ok(seconds < 6, `${seconds} s`)
    }
    const known = await timed(push(muteId, 'known'))
    assert.is(known.outcome, 'lost')
    assert.ok(known.seconds < 1, `${known.seconds} s`)
    const caller = await timed(authenticate(sql, hashOf(muteId)))
    assert.is(caller.outcome, 'lost')
    assert.ok(caller.seconds < 1, `${caller.seconds} s`)
    const others = await timed(Promise.all(Array.from({ length: 20 }, () => authenticate(sql, hashOf(otherId)))))
    assert.is(others.outcome, 'done')
    assert.ok(others.seconds < 1.5, `${others.seconds} s`)
    // Or a balancer would take every server of ours away.
    assert.is((await service.send({ path: '/readyz' })).status, 200)

    wire.swallows = false
    let again = await timed(push(muteId, 'again'))
    for (const end = Date.now() + 20_000; again.outcome !== 'done' && Date.now() < end; await sleep(100)) {
      again = await timed(push(muteId, 'again'))
    }
    assert.is(again.outcome, 'done')
    assert.is((await authenticate(sql, hashOf(muteId)))?.project.id, muteId)
  } finally {
    watch.stop()
    wire.close()
    await sql`update pg_dist_node set nodename = ${node?.host ?? ''}, nodeport = ${node?.port ?? 0} where groupid = ${mute}`
    await sql.end({ timeout: 1 })
    await drop()
  }
})

test.run()
