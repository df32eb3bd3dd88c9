import * as assert from 'uvu/assert'
import { waitLine } from '../../../src/cli/output/wait-line.ts'
import { suite } from '../../suite.ts'

const test = suite('the line about a wait')
const wait = { seconds: 2, attempt: 2, attempts: 6 } as const

test("gives the first sentence of the server's message where that says what to mend", () => {
  const message = 'The reviews are indexed for another embedding model than this server has. It finds them later.'
  assert.is(
    waitLine({ ...wait, reason: 'embedding_unavailable', message }),
    'Searches are not answered (The reviews are indexed for another embedding model than this server has); next try in 2 s (3 of 6).',
  )
  assert.is(
    waitLine({ ...wait, reason: 'service_unavailable', message: 'The disk is full' }),
    'The service is not available (The disk is full); next try in 2 s (3 of 6).',
  )
})

test('gives no message of a key that waits for its next minute', () => {
  const line = waitLine({ ...wait, reason: 'rate_limited', message: 'Too many requests.' })
  assert.is(line, 'The rate limit of the key was reached; next try in 2 s (3 of 6).')
})

test.run()
