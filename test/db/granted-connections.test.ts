import * as assert from 'uvu/assert'
import { openAllConnections } from '../../server/db/granted-connections.ts'
import type { Pool } from '../../server/deps.ts'
import { suite } from '../suite.ts'

const test = suite('the connections that a pool was granted')

/** A pool whose first statements are refused, as long as sessions that were ended still count. */
function refusing(first: number): { sql: Pool; asked: () => number } {
  let asked = 0
  const select = async () => {
    if (asked++ < first) throw new Error('too many connections for role')
    return []
  }
  return { sql: select as unknown as Pool, asked: () => asked }
}

test('are all open before anybody is answered, however often they are refused at first', async () => {
  const { sql, asked } = refusing(7)
  await openAllConnections(sql, 3)
  assert.is(asked(), 12)
})

test('are not waited for longer than the limit', async () => {
  const { sql, asked } = refusing(Number.POSITIVE_INFINITY)
  await openAllConnections(sql, 2, 120)
  assert.ok(asked() >= 4, String(asked()))
})

test.run()
