import { writeFileSync } from 'node:fs'
import { type Callback, suite as uvuSuite } from 'uvu'

/**
 * A uvu suite that cannot fail quietly. uvu exits 0 when a `before` hook throws and when `.run()` is forgotten; here
 * both, and a test that never finished, count as failures in the report that `test/run.ts` reads and asks for.
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
      try {
        await callback(context)
      } catch (error) {
        state.failed++
        throw error
      }
      state.passed++
    })
  }
  return Object.assign(test, {
    before: Object.assign(hook(inner.before), { each: hook(inner.before.each) }),
    after: Object.assign(hook(inner.after), { each: hook(inner.after.each) }),
    /** Leaves a test out and says so in the count; `why` is printed, since a silent skip is a lie. In CI it fails. */
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

interface SuiteState {
  name: string
  registered: number
  passed: number
  failed: number
  skipped: number
  hookFailures: number
  run: boolean
}

const suites: SuiteState[] = []

process.on('exit', () => {
  let passed = 0
  let failed = 0
  let skipped = 0
  for (const state of suites) {
    const lost = state.registered - state.passed - state.failed
    if (!state.run) console.error(`suite "${state.name}" was never run: its file forgot .run()`)
    else if (lost > 0) console.error(`suite "${state.name}" ended with ${lost} tests not finished`)
    passed += state.passed
    skipped += state.skipped
    failed += state.failed + state.hookFailures + lost + (state.run ? 0 : 1)
  }
  if (failed > 0) process.exitCode = 1
  const report = process.env.PULLQUOTE_TEST_REPORT
  if (report) writeFileSync(report, JSON.stringify({ passed, failed, skipped }))
})
