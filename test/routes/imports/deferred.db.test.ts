import * as assert from 'uvu/assert'
import { serviceOnTransports } from '../../http/service-on-transports.ts'
import { suite } from '../../suite.ts'
import { importRequests } from './import-requests.ts'

const test = suite('imports past the limits of indexing')

const { service, transports } = serviceOnTransports(test, {
  allowance: { queueDepth: 2 },
  worker: { nudge() {}, state: () => ({ status: 'idle', indexed: 0, failed: 0 }) },
})

test('an import whose reviews wait for the allowance says so, as a push does', async () => {
  const { upload, imported, freshKey } = importRequests({ service }, (sent) => transports['app.fetch'].send(sent))
  const key = await freshKey()
  const file = (count: number) =>
    `id,date,text\n${Array.from({ length: count }, (_, i) => `${i},2026-01-05,Text ${i}.`).join('\n')}\n`
  const codesOf = async (count: number, query = '') => {
    const { warnings } = await imported(await upload(key, file(count), query))
    return warnings.filter(({ code }) => code === 'deferred')
  }
  assert.equal(await codesOf(2), [])
  assert.equal(await codesOf(5, '?dry_run=true'), [])
  const [told] = await codesOf(5)
  assert.match(told?.message ?? '', /^the reviews are stored, and can be found once the server's allowance/)
  assert.is(told?.count, 5)
})

test.run()
