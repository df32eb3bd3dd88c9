import { inspect } from 'node:util'
import { type Callback, suite as uvuSuite } from 'uvu'
import './temporary.ts'

/**
 * A uvu suite that cannot fail silently. uvu exits with 0 when a `before` hook throws or `.run()` is forgotten; here both,
 * and unfinished tests, count as failures, both in the report of `test/run-files.ts` and in the exit code of a test file
 * that is run by itself.
 */
export function suite(name: string) {
  const inner = uvuSuite(name)
  const state: SuiteState = { name, registered: 0, passed: 0, failed: 0, skipped: 0, hookFailures: 0, run: false }
  suites.push(state)

  const hook = (register: (callback: Callback) => void) => (callback: Callback) =>
    register(async (context) => {
      try {
        await callback(context)
      } catch (error) {
        state.hookFailures++
        console.error(`\nhook of "${name}" failed:`, error)
        throw error
      }
    })

  const test = (title: string, callback: Callback) => {
    state.registered++
    inner(title, async (context) => {
      follower?.(`${name}: ${title}`)
      try {
        await callback(context)
      } catch (error) {
        state.failed++
        throw reportable(error)
      }
      state.passed++
    })
  }
  return Object.assign(test, {
    before: Object.assign(hook(inner.before), { each: hook(inner.before.each) }),
    after: Object.assign(hook(inner.after), { each: hook(inner.after.each) }),
    /** Skips a test, counts it as skipped and prints `why`. In CI it fails. */
    skip(title: string, why: string) {
      if (process.env.CI) {
        state.registered++
        state.failed++
      } else state.skipped++
      console.log(`SKIPPED "${name}: ${title}": ${why}`)
    },
    run() {
      state.run = true
      inner.run()
    },
  })
}

/** uvu takes `details` of what a test throws for a text; if it is none the suite ends there and nobody learns why. */
function reportable(thrown: unknown): Error {
  const isPlain = thrown instanceof Error && typeof Reflect.get(thrown, 'details') !== 'object'
  return isPlain ? thrown : new Error(`threw ${inspect(thrown)}`)
}

interface SuiteState {
  name: string
  registered: number
  passed: number
  failed: number
  skipped: number
  hookFailures: number
  run: boolean
}

export interface Counts {
  passed: number
  failed: number
  skipped: number
}

const suites: SuiteState[] = []
let follower: ((test: string) => void) | undefined

/** Calls `follow` with the name of every test that starts. */
export function followTests(follow: (test: string) => void): void {
  follower = follow
}

/** Counts the tests of all suites created since the last call, and prints suites never run and tests not finished. */
export function takeCounts(): Counts {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const state of suites.splice(0)) {
    const lost = state.registered - state.passed - state.failed
    if (!state.run) console.error(`suite "${state.name}" was never run: its file forgot .run()`)
    else if (lost > 0) console.error(`suite "${state.name}" ended with ${lost} tests not finished`)
    counts.passed += state.passed
    counts.skipped += state.skipped
    counts.failed += state.failed + state.hookFailures + lost + (state.run ? 0 : 1)
  }
  return counts
}

process.on('exit', () => {
  if (takeCounts().failed > 0) process.exitCode = 1
})
