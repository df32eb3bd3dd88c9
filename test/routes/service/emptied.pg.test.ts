import { tmpdir } from 'node:os'
import * as assert from 'uvu/assert'
import { connect } from '../../../server/db/connect.ts'
import { migrate } from '../../../server/db/migrate.ts'
import { createDoctor } from '../../../server/doctor.ts'
import { createPostgresDatabase, silent } from '../../database.ts'
import { openService } from '../../http/service.ts'
import { openTransport } from '../../http/transport.ts'
import { fakeEmbedder } from '../../indexing/fake-embedder.ts'
import { suite } from '../../suite.ts'

const test = suite('a database that is emptied under a running server')

test('is told as that to clients and by the doctor; once the tables are back all goes on', async () => {
  const { url, drop } = await createPostgresDatabase()
  const service = await openService()
  const sql = connect({ url })
  const { deps } = service
  const config = { home: tmpdir(), host: '127.0.0.1', port: 8787, demo: false, console: false, allowance: {} }
  const { model, clock } = deps
  const doctor = createDoctor({ sql, config, embedder: fakeEmbedder(), model, clock })
  const create = async () => {
    const transport = await openTransport('app.fetch', { ...deps, sql })
    const headers = { authorization: `Bearer ${deps.operatorToken}`, 'content-type': 'application/json' }
    const path = '/operator/projects'
    const response = await transport.send({ method: 'POST', path, headers, body: '{"name":"Hotel"}' })
    return [response.status, await response.text()] as const
  }
  try {
    await sql`drop schema public cascade`
    await sql`create schema public`
    const [status, told] = await create()
    assert.is(status, 503, told)
    assert.match(told, 'The database lacks tables just now: it was emptied, or is being restored.')
    const finding = (await doctor()).find(({ check }) => check === 'database')
    assert.match(`${finding?.message}; ${finding?.hint}`, /the tables are gone: .*restore a backup .*or restart it/)
    await migrate(sql, silent)
    assert.is((await create())[0], 201)
  } finally {
    await Promise.all([sql.end(), service.close()])
    await drop()
  }
})

test.run()
