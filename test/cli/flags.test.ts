import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as assert from 'uvu/assert'
import { CliError } from '../../src/cli/errors/cli-error.ts'
import { parseMetadata } from '../../src/cli/flags.ts'
import { suite } from '../suite.ts'
import { runAgainst } from './run-cli.ts'

const test = suite('flags take one value each')
const commands = join(import.meta.dirname, '..', '..', 'src', 'commands')

interface AnyFlag {
  type: string
  multiple?: boolean
  multipleNonGreedy?: boolean
}

test('no command has a flag that takes the words after its value', async () => {
  const files = readdirSync(commands, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  assert.ok(files.length > 20)
  let seen = 0
  for (const file of files) {
    const { default: command } = await import(pathToFileURL(join(commands, file)).href)
    for (const [name, flag] of Object.entries<AnyFlag>(command.flags ?? {})) {
      if (!flag.multiple) continue
      seen++
      assert.is(flag.multipleNonGreedy, true, `${file} --${name}`)
    }
  }
  assert.ok(seen >= 7, `${seen} flags that may be repeated`)
})

async function sentBy(args: string[]) {
  const recent = { results: [], match: 'recent', took_ms: 1, cached: false, badge: true }
  const { seen, ...outcome } = await runAgainst(args, { answer: () => ({ body: recent }) })
  return { ...outcome, body: seen[0]?.body as { q?: string; filters?: object } | undefined }
}

test('the text may stand after any of the flags', async () => {
  const flags = ['--source', 'google', '--source', 'yelp,custom', '--meta', 'dish=sea bass, grilled', '--limit', '3']
  for (const args of [
    ['query', ...flags, 'breakfast'],
    ['query', 'breakfast', ...flags],
    ['query', '--meta', 'dish=sea bass, grilled', 'breakfast', '--source=google,yelp,custom', '--limit', '3'],
  ]) {
    const { code, body, stderr } = await sentBy(args)
    assert.is(code, 0, stderr)
    assert.is(body?.q, 'breakfast')
    assert.equal(body?.filters, { source: ['google', 'yelp', 'custom'], metadata: { dish: 'sea bass, grilled' } })
  }
})

test('a source that is none is refused and nothing is asked', async () => {
  for (const value of ['foo', 'google,foo', 'google,']) {
    const { code, body, stderr } = await sentBy(['query', '--source', value, 'breakfast'])
    assert.equal([code, body], [2, undefined])
    assert.match(stderr, /--source=\S* is not one of: google, yelp, facebook, trustpilot, custom/)
    assert.match(stderr, /any other platform are custom; an import names it with --set-metadata platform=NAME/)
  }
})

test('metadata: commas part pairs, and stay in values', () => {
  assert.equal(parseMetadata(['a=1,b=2', 'c=3']), { a: '1', b: '2', c: '3' })
  assert.equal(parseMetadata(['town=Lisbon, Portugal', 'x=,']), { town: 'Lisbon, Portugal', x: ',' })
  assert.equal(parseMetadata(['a=1\\,b=2']), { a: '1,b=2' })
  assert.equal(parseMetadata(['a=b=c', 'a=b=c']), { a: 'b=c' })
  assert.is(parseMetadata([]), undefined)
})

test('metadata: what is no pair, and one key with two values, are refused', () => {
  for (const given of [['dish'], ['=x'], [''], ['a=1', 'a=2'], ['a=1,a=2']]) {
    assert.throws(
      () => parseMetadata(given),
      (error: unknown) => error instanceof CliError && error.exitCode === 2,
    )
  }
})

test.run()
