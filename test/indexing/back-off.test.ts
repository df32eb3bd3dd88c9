import * as assert from 'uvu/assert'
import type { Pool } from '../../server/deps.ts'
import { BackOff } from '../../server/indexing/back-off.ts'
import { suite } from '../suite.ts'

const test = suite('how long the pipeline waits')

/** @param texts embedded today */
function waiting({ hasFreeSpace, texts }: { hasFreeSpace?: () => Promise<boolean>; texts?: () => number } = {}) {
  const said: string[] = []
  const note = (_: object, message: string) => void said.push(message)
  const log = { debug: note, info: note, warn: note, error: note }
  const sql = (async () => [{ texts: texts?.() ?? 0, seconds: 3_600 }]) as unknown as Pool
  return { backOff: new BackOff({ sql, log, hasFreeSpace, dailyAllowance: texts && 10 }), said }
}

/** Random within a quarter. */
function assertAbout(milliseconds: number, expected: number): void {
  assert.ok(milliseconds > expected * 0.6 && milliseconds <= expected * 1.25, `${milliseconds} of ${expected}`)
}

test('each failure in a row doubles the pause, up to the longest of its reason', () => {
  for (const [reason, longest] of [
    ['embedding_unavailable', 30_000],
    ['database_unavailable', 2_000],
  ] as const) {
    const { backOff } = waiting()
    assert.is(backOff.remaining, 0)
    for (let expected = 500, n = 0; n < 9; n++, expected = Math.min(longest, expected * 2)) {
      backOff.delay(reason, 'away')
      assertAbout(backOff.remaining, expected)
    }
    backOff.reset()
    assert.is(backOff.remaining, 0)
    backOff.delay(reason, 'away')
    assertAbout(backOff.remaining, 500)
  }
})

test('nobody waits for the end of what is long: three failures in a row, or a condition that may last', () => {
  const { backOff } = waiting()
  for (const isLong of [false, false, true]) {
    backOff.delay('embedding_unavailable', 'away')
    assert.is(backOff.isLong, isLong)
  }
  backOff.reset()
  assert.is(backOff.isLong, false)
  backOff.otherModel()
  assert.is(backOff.isLong, true)
})

test('new work brings the next try of a provider nearer, unless the provider said when', () => {
  const { backOff } = waiting()
  for (let n = 0; n < 9; n++) backOff.delay('embedding_unavailable', 'away')
  backOff.nudge()
  assert.ok(backOff.remaining <= 1_000)
  backOff.delay('embedding_unavailable', 'too many requests', 90)
  backOff.nudge()
  assertAbout(backOff.remaining, 90_000)
  backOff.delay('database_unavailable', 'away')
  backOff.nudge()
  assert.ok(backOff.remaining > 1_100)
})

test('a provider that embeds for searches is tried within a minute of its last answer, even if it said later', () => {
  const { backOff } = waiting()
  assert.is(backOff.providerAnswers(), false, 'nothing is waited for')
  backOff.delay('embedding_unavailable', 'too many requests', 3_600)
  assert.is(backOff.providerAnswers(), true)
  assert.ok(backOff.remaining > 59_000 && backOff.remaining <= 60_000, `${backOff.remaining}`)
  const until = backOff.waiting?.until.getTime() ?? 0
  assert.ok(Math.abs(until - Date.now() - backOff.remaining) < 1_000)
  assert.is(backOff.providerAnswers(), false, 'it is as soon as it can be')
  backOff.delay('embedding_unavailable', 'too many requests', 20)
  assert.is(backOff.providerAnswers(), false)
  assertAbout(backOff.remaining, 20_000)
  backOff.delay('internal', 'a mistake of ours')
  assert.is(backOff.providerAnswers(), false)
})

test('an error tells what is waited for', () => {
  for (const [code, reason] of [
    ['53100', 'disk_full'],
    ['ECONNREFUSED', 'database_unavailable'],
    ['XX000', 'internal'],
  ] as const) {
    const { backOff } = waiting()
    backOff.failed(Object.assign(new Error('refused'), { code }))
    assert.is(backOff.waiting?.reason, reason)
  }
})

test('a reason is said once however often it recurs, with when it began, and so is its end', () => {
  const { backOff, said } = waiting()
  backOff.reset()
  backOff.delay('embedding_unavailable', 'away')
  const first = backOff.waiting
  backOff.delay('embedding_unavailable', 'still away')
  assert.equal(said, ['the pipeline waits: away'])
  assert.is(backOff.waiting?.message, 'still away')
  assert.is(backOff.waiting?.since, first?.since)
  backOff.reset()
  backOff.reset()
  assert.equal(said.slice(1), ['the pipeline works again'])
  assert.is(backOff.waiting, undefined)
})

test('while the disk is full nothing is claimed', async () => {
  let hasRoom = false
  const { backOff } = waiting({ hasFreeSpace: async () => hasRoom })
  assert.is(await backOff.mayClaim(), false)
  assert.is(backOff.waiting?.reason, 'disk_full')
  hasRoom = true
  assert.is(await backOff.mayClaim(), true)
})

test('a spent allowance is looked at every minute, since texts may be given back, and waited for until then', async () => {
  let texts = 10
  const { backOff } = waiting({ texts: () => texts })
  assert.is(await backOff.mayClaim(), true, 'the claim tells whether it is spent')
  await backOff.allowanceSpent()
  assert.ok(backOff.remaining > 59_000 && backOff.remaining <= 60_000)
  assert.is(await backOff.mayClaim(), false)
  assert.is(backOff.waiting?.reason, 'daily_allowance')
  texts = 9
  assert.is(await backOff.mayClaim(), true)
})

test.run()
