import * as assert from 'uvu/assert'
import {
  isConnectionLost,
  isDatabaseUnavailable,
  isServerOfClusterLost,
  isSessionRefused,
} from '../../server/db/unavailable.ts'
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

test('a database that takes no session is away for requests, whatever its reason, and a start waits only for what passes', () => {
  const reasons = { '28P01': true, '3D000': true, '55000': true, '53300': false, '57P03': false, '08P01': false }
  for (const [code, stays] of Object.entries(reasons)) {
    assert.is(isDatabaseUnavailable(answered('FATAL', code)), true, code)
    assert.is(isSessionRefused(answered('FATAL', code)), stays, code)
  }
  const statement = answered('ERROR', '55000')
  assert.equal([isSessionRefused(statement), isDatabaseUnavailable(statement)], [false, false])
})

test.run()
