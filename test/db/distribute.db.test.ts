import * as assert from 'uvu/assert'
import { distribute, distributionOf, NotDistributable } from '../../server/db/distribute.ts'
import { openTestDatabase, silent } from '../database.ts'
import { suite } from '../suite.ts'

const test = suite('distributing a database')

test('what has no Citus is refused in words, and what has it is distributed', async () => {
  const { sql, close } = await openTestDatabase()
  try {
    const { citus, tables } = await distributionOf(sql)
    if (process.env.PULLQUOTE_TEST_DATABASE === 'citus') {
      assert.ok(citus)
      assert.ok(tables.every(({ wanted, actual }) => wanted === actual))
      return
    }
    assert.is(citus, undefined)
    assert.ok(tables.every(({ actual }) => actual === 'local'))
    try {
      await distribute(sql, silent)
      assert.unreachable()
    } catch (error) {
      if (!(error instanceof NotDistributable)) throw error
      assert.is(error.code, 'citus_missing')
      assert.match(error.message, /CREATE EXTENSION citus/)
    }
  } finally {
    await close()
  }
})

test.run()
