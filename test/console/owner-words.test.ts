import * as assert from 'uvu/assert'
import { ownerWords } from '../../console/owner-words.ts'
import { bodyMemoryExhausted } from '../../server/http/byte-budget.ts'
import { databaseFull, requireDiskSpace } from '../../server/http/disk-space.ts'
import { databaseUnavailable, toApiError, unconfirmed } from '../../server/http/to-api-error.ts'
import { suite } from '../suite.ts'

const test = suite('what the console says when the server cannot do something')

const codeOf = (code: string) => Object.assign(new Error(code), { code })

test('an owner reads what to do, and never to send a request', async () => {
  const full = await requireDiskSpace(async () => 0).catch((error: Error) => error)
  const ofDatabase = ['53400', '25006', '42P01', '55P03', '23503'].map((code) => toApiError(codeOf(code), 'r-1'))
  for (const error of [
    databaseUnavailable(),
    unconfirmed(),
    databaseFull(),
    bodyMemoryExhausted(),
    full,
    ...ofDatabase,
  ]) {
    const said = ownerWords(error?.message ?? '')
    assert.not.match(said, /send|was written|to be stored/i)
    assert.match(said, /Try again in a minute; if this stays, tell|look before you do it again|deleted meanwhile/, said)
  }
  assert.match(
    ownerWords(databaseUnavailable().message),
    /^The database does not answer just now\. Nothing was changed/,
  )
  assert.match(ownerWords(toApiError(new Error(), 'r-1').message), /tell whoever .* under request r-1\.$/)
  assert.is(ownerWords('This project no longer exists.'), 'This project no longer exists.')
})

test.run()
