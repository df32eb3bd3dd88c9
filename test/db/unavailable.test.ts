import * as assert from 'uvu/assert'
import { isConnectionLost, isDatabaseUnavailable, isServerOfClusterLost } from '../../server/db/unavailable.ts'
import { suite } from '../suite.ts'

const test = suite('a database that does not answer')
const answered = (severity: string, code: string, routine = '') =>
  Object.assign(new Error('any'), { severity, code, routine })

test('a server of a cluster that is lost leaves the connection to the coordinator, and the same request may be sent again', () => {
  for (const error of [
    answered('ERROR', '08006', 'ReportConnectionError'),
    answered('ERROR', 'XX000', 'MarkRemoteTransactionFailed'),
    answered('ERROR', '58030', 'EndRemoteCopy'),
  ]) {
    assert.is(isServerOfClusterLost(error), true)
    assert.is(isConnectionLost(error), false)
    assert.is(isDatabaseUnavailable(error), true)
  }
})

test('a session that ends is lost itself, and any other internal error is none of these', () => {
  for (const error of [answered('FATAL', '08P01'), answered('FATAL', '57P01'), { code: 'ECONNRESET' }]) {
    assert.is(isServerOfClusterLost(error), false)
    assert.is(isConnectionLost(error), true)
  }
  const internal = answered('ERROR', 'XX000', 'ExecEvalExpr')
  assert.equal([isServerOfClusterLost(internal), isDatabaseUnavailable(internal)], [false, false])
})

test.run()
