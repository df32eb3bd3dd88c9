import * as assert from 'uvu/assert'
import { scoreFindings } from '../../server/doctor/scores.ts'
import { createBuiltinEmbedder } from '../../server/embed/builtin/embedder.ts'
import { calibrate } from '../../server/embed/calibrate.ts'
import { type Embedder, EmbeddingUnavailable } from '../../server/embed/embedder.ts'
import { suite } from '../suite.ts'

const test = suite('doctor: scores of a chosen model')
const builtin = await createBuiltinEmbedder()

function unit(vector: ArrayLike<number>): number[] {
  const length = Math.hypot(...Array.from(vector))
  return Array.from(vector, (x) => x / length)
}

/** The built-in model's vectors as those of a service whose cosines lie higher by `raised`, with the constant `k`. */
function chosen(k: number, raised = 0): Embedder {
  return {
    ...builtin,
    calibration: k,
    async embed(texts, kind) {
      const vectors = await builtin.embed(texts, kind)
      // Without the component that the built-in model's own constant made.
      const raw = vectors.map((vector) => unit(vector.subarray(0, -1)))
      return raw.map((vector) => calibrate(raised > 0 ? unit(calibrate(vector, raised, kind)) : vector, k, kind))
    },
  }
}

const said = async (embedder: Embedder) =>
  (await scoreFindings(embedder, 60_000)).map(({ status, hint = '' }) => `${status} ${hint}`)

test('a constant that suits the model is well, and the built-in model is not looked at', async () => {
  assert.equal(await said(chosen(0.7)), ['ok '])
  assert.equal(await said(builtin), [])
})

test('a constant that is too low or too high is told, with one that suits', async () => {
  const hints = [...(await said(chosen(0))), ...(await said(chosen(3)))]
  for (const hint of hints) assert.match(hint, /^warning set PULLQUOTE_EMBEDDING_CALIBRATION=0\.(6|7|8)\d instead of/)
})

test('a model whose unrelated texts lie above the floor needs a constant below 0, which suits', async () => {
  const [hint = ''] = await said(chosen(0, 2))
  const [, suitable] = /CALIBRATION=(-0\.\d\d) instead of 0\.00/.exec(hint) ?? []
  assert.ok(suitable, hint)
  assert.equal(await said(chosen(Number(suitable), 2)), ['ok '])
})

test('a service that gives no vectors is a warning here: the check of the service itself says more', async () => {
  const away: Embedder = { ...chosen(0), embed: () => Promise.reject(new EmbeddingUnavailable('it is away')) }
  const [{ status, message = '' } = {}] = await scoreFindings(away, 60_000)
  assert.equal([status, /could not be measured: .*it is away/.test(message)], ['warning', true])
})

test('says how much is found and how much of it is wrong', async () => {
  const [{ message = '' } = {}] = await scoreFindings(chosen(0), 60_000)
  assert.match(
    message,
    /^in a built-in test, \d+ % of the texts that fit a query and 0 % of those that do not are above the floor of 0.66$/,
  )
})

test.run()
