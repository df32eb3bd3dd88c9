import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { newHomeWithDatabase, runCli } from '../cli/run-cli.ts'
import { serve } from '../cli/serve-process.ts'
import { suite } from '../suite.ts'

const test = suite('what a command loads')
const home = await newHomeWithDatabase()
test.after(() => rmSync(home, { recursive: true, force: true }))

/** Files of JavaScript that a command compiled, as V8 counts them. */
async function loadedBy(...args: string[]): Promise<string[]> {
  const folder = mkdtempSync(join(home, 'loaded-'))
  const { code } = await runCli(home, args, { env: { NODE_V8_COVERAGE: folder } })
  assert.is(code, 0)
  const urls = readdirSync(folder).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    return result.map(({ url }: { url: string }) => url)
  })
  return [...new Set<string>(urls)].filter((url) => url.startsWith('file:'))
}

test('a command loads a few files, none of them of the packages that all commands need', async () => {
  // Without the bundle it was 260.
  for (const args of [['--version'], ['query', '--help'], ['profiles', 'list']]) {
    const files = await loadedBy(...args)
    assert.ok(files.length > 2 && files.length < 40, `${args.join(' ')}: ${files.length} files`)
    const apart = files.filter((url) => /node_modules\/(@oclif\/core|semver|valibot|debug|ejs)\//.test(url))
    assert.equal(apart, [])
  }
})

test('a command that opens the database loads the server as a few files', async () => {
  // Without the bundle it was 230. What only a server or an import needs is in files of its own, which it does not load.
  const loaded = await loadedBy('projects', 'list')
  const files = loaded.filter((url) => url.includes('/dist/server/'))
  assert.ok(files.length > 2 && files.length < 35, `${files.length} files`)
  const apart = loaded.filter((url) => /prom-client|read-in-this-thread|csv-parse|htmlparser2/.test(url))
  assert.equal(apart, [])
})

/** Replaced by what says its name: each of them takes 0.01 to 0.02 s to load, and a query needs none. */
const TOLD = `
  for (const name of ['Request', 'Response', 'Headers', 'fetch']) {
    Object.defineProperty(globalThis, name, { get() { process.stderr.write('LOADED ' + name + '\\n') } })
  }
  for (const name of ['Segmenter', 'DateTimeFormat', 'RelativeTimeFormat']) {
    Intl[name] = class { constructor() { process.stderr.write('LOADED Intl.' + name + '\\n') } }
  }`

test('a query against a server on this machine loads what it needs, in few files', async () => {
  const file = join(home, 'reviews.json')
  const review = { external_id: '1', source: 'google', rating: 5, text: 'The sauna is warm.', author_name: 'Ann' }
  writeFileSync(file, JSON.stringify([{ ...review, occurred_at: '2026-01-02T00:00:00Z' }]))
  for (const args of [
    ['projects', 'create', 'hotel'],
    ['reviews', 'push', file, '--wait'],
  ]) {
    const { code, stderr } = await runCli(home, args)
    assert.is(code, 0, stderr)
  }
  const server = await serve(home)
  try {
    const preload = `--import=data:text/javascript,${encodeURIComponent(TOLD)}`
    const { code, stdout, stderr } = await runCli(home, ['query', 'sauna'], { env: { NODE_OPTIONS: preload } })
    assert.is(code, 0, stderr)
    assert.match(stdout, /Ann · 2 Jan 2026 \(.*\n.*The sauna is warm\./)
    assert.not.match(stderr, /LOADED/)
    const files = await loadedBy('query', 'sauna')
    assert.ok(files.length < 25, `${files.length} files`)
  } finally {
    await server.stop()
  }
})

test.run()
