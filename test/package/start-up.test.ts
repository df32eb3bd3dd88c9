import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { newHome, runCli } from '../cli/run-cli.ts'
import { suite } from '../suite.ts'

const test = suite('what a command loads')
const home = newHome()
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

test.run()
