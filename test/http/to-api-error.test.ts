import * as assert from 'uvu/assert'
import { EmbeddingRefused, EmbeddingUnavailable, OtherModelActive } from '../../server/embed/embedder.ts'
import { PartlyDone, validationFailed } from '../../server/http/api-error.ts'
import { bodyMemoryExhausted } from '../../server/http/byte-budget.ts'
import { databaseFull, requireDiskSpace } from '../../server/http/disk-space.ts'
import { databaseUnavailable, toApiError, unconfirmed } from '../../server/http/to-api-error.ts'
import { suite } from '../suite.ts'

const test = suite('what callers are told of an error')

test('a search text that the embedding service refuses is not to be tried again as it is', () => {
  const refused = toApiError(new EmbeddingRefused('refused with 400: content policy', [undefined]), 'id')
  assert.is(refused.code, 'embedding_unavailable')
  assert.match(refused.message, /refuses this search text/)
  assert.not.match(refused.message, 'policy')
  const away = toApiError(new EmbeddingUnavailable('cannot be reached: 10.0.0.7'), 'id')
  assert.is(away.code, 'embedding_unavailable')
  assert.match(away.message, /Try again shortly/)
})

test('a server beside one with another model says that, instead of asking for another try', () => {
  const { code, message } = toApiError(new OtherModelActive(), 'id')
  assert.is(code, 'embedding_unavailable')
  assert.match(message, /another embedding model than this server has.* the same embedding settings/)
})

test('work that failed after some steps never says that nothing was written, whatever the cause', () => {
  const done = 'The batches before that are stored.'
  const of = (cause: unknown) => toApiError(new PartlyDone(done, cause), 'id')
  for (const cause of [databaseFull(), databaseUnavailable(), unconfirmed(), new Error('a fault')]) {
    const { code, retryAfterSeconds } = toApiError(cause, 'id')
    assert.equal([of(cause).code, of(cause).retryAfterSeconds], [code, retryAfterSeconds])
    assert.ok(of(cause).message.includes(done), of(cause).message)
    assert.not.match(of(cause).message, 'Nothing was written')
  }
  assert.match(of(databaseFull()).message, `is full. ${done} Try again when there is room.`)
})

test('a limit of the database that a statement ran into is named, with what to do', () => {
  const { code, message } = toApiError(Object.assign(new Error('temporary file size exceeds'), { code: '53400' }), 'id')
  assert.is(code, 'service_unavailable')
  assert.match(message, /temp_file_limit.* Raise that for its role, then try again/)
})

test('a statement that waited too long says that tables may be locked, and who knows by whom', () => {
  const { code, message } = toApiError(Object.assign(new Error('canceling statement'), { code: '57014' }), 'id')
  assert.is(code, 'service_unavailable')
  assert.match(
    message,
    /^The database took too long: .*locked its tables \(pullquote doctor names it\)\. Nothing was written/,
  )
})

test('what failed on the server is told as an owner at the console can read it, who sends no requests', async () => {
  const ofDatabase = ['53400', '25006', '42P01', '55P03', '23503'].map((code) =>
    toApiError(Object.assign(new Error(code), { code }), 'id'),
  )
  const full = await requireDiskSpace(async () => 0).catch((error: Error) => error)
  for (const error of [
    databaseUnavailable(),
    unconfirmed(),
    databaseFull(),
    bodyMemoryExhausted(),
    full,
    ...ofDatabase,
  ]) {
    assert.not.match(error?.message ?? 'send', /\bsend|\brequest again/i)
    assert.match(error?.message ?? '', /[Tt]ry again|look first|was deleted/)
  }
})

test('the message of a refusal repeats its first finding and tells how many more there are', () => {
  const said = (...paths: string[]) =>
    validationFailed(paths.map((path) => ({ path, message: 'is not a known field' }))).message
  assert.is(said('raiting'), 'The request is not valid: raiting is not a known field.')
  assert.is(said('(body)', '0'), 'The request is not valid: the body is not a known field (and 1 more, see details).')
  assert.is(said(''), 'The request is not valid: an empty name is not a known field.')
})

test.run()
