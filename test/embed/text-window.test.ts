import * as assert from 'uvu/assert'
import { TextWindow } from '../../server/embed/text-window.ts'
import { suite } from '../suite.ts'

const test = suite('how many texts a service has at a time')
const { signal } = new AbortController()

/** What up to `many` requests of 32 texts each get at once; all of them leave again. */
async function sharesOf(window: TextWindow, many = 4): Promise<number[]> {
  const shares: number[] = []
  const ends = new AbortController()
  const entering = Array.from({ length: many }, () =>
    window.enter(32, ends.signal).then(
      (texts) => shares.push(texts),
      () => undefined,
    ),
  )
  await new Promise((resolve) => setImmediate(resolve))
  ends.abort()
  await Promise.all(entering)
  for (const texts of shares) window.leave(texts)
  return shares
}

/** A request of all that the window lets through, to a service with this speed; it was measured with one text first. */
async function ask(window: TextWindow, milliseconds: (texts: number) => number): Promise<void> {
  const texts = (await sharesOf(window)).reduce((sum, one) => sum + one, 0)
  window.took(milliseconds(texts), texts)
}

test('begins with one full request', async () => {
  assert.equal(await sharesOf(new TextWindow(4, 32)), [32])
})

test('a fast service soon gets as many requests as it may', async () => {
  const window = new TextWindow(4, 32)
  window.tookAlone(200)
  for (let i = 0; i < 2; i++) await ask(window, (texts) => 200 + texts)
  assert.equal(await sharesOf(window, 6), [32, 32, 32, 32])
})

test('a service that embeds one text after another gets what takes it a second', async () => {
  const window = new TextWindow(4, 32)
  window.tookAlone(100)
  for (let i = 0; i < 5; i++) await ask(window, (texts) => 100 * texts)
  const [only = 0, ...others] = await sharesOf(window)
  assert.ok(only >= 10 && only <= 12, `${only}`)
  assert.equal(others, [])
})

test('a service that takes long for one text as well gets no fewer, since a search would wait as long', async () => {
  const window = new TextWindow(4, 32)
  window.tookAlone(1_800)
  for (let i = 0; i < 5; i++) await ask(window, () => 2_000)
  assert.equal(await sharesOf(window), [32, 32, 32, 32])
})

test('a service that gives no answer in time gets less and less, but not nothing', async () => {
  const window = new TextWindow(4, 32)
  for (let i = 0; i < 2; i++) await ask(window, () => 30_000)
  assert.equal(await sharesOf(window), [8])
  for (let i = 0; i < 9; i++) await ask(window, () => 30_000)
  assert.equal(await sharesOf(window), [4])
})

test('a few last texts, which took little, say nothing about many', async () => {
  const window = new TextWindow(4, 32)
  window.tookAlone(100)
  for (let i = 0; i < 5; i++) await ask(window, (texts) => 100 * texts)
  for (let i = 0; i < 9; i++) window.took(150, 2)
  assert.ok((await sharesOf(window)).every((texts) => texts <= 12))
})

test('who waits for room is let in when there is some, and goes away when asked to', async () => {
  const window = new TextWindow(4, 32)
  const first = await window.enter(32, signal)
  let entered = 0
  const second = window.enter(5, signal).then((texts) => {
    entered = texts
  })
  const ends = new AbortController()
  const third = window.enter(5, ends.signal).catch((error: unknown) => error)
  ends.abort(new Error('stopped'))
  assert.is(((await third) as Error).message, 'stopped')
  assert.is(entered, 0)
  window.leave(first)
  await second
  assert.is(entered, 5)
  assert.is(window.texts, 5)
})

test.run()
