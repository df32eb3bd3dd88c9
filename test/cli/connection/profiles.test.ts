import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { changeProfiles, readProfiles } from '../../../src/cli/connection/settings.ts'
import { suite } from '../../suite.ts'
import { refusal, startFakeServer } from '../fake-server.ts'
import { noTerminal, runInTerminal } from '../in-terminal.ts'
import { newHome, runCli } from '../run-cli.ts'

const test = suite('pullquote login and profiles')
const KEY = `svc_sk_live_${'7'.repeat(32)}`
const OTHER_KEY = `svc_sk_live_${'6'.repeat(32)}`
const WHOAMI = {
  project: { id: '3f0c9a4e-8f55-4d0b-9a54-0f6f5b1f7f10', name: 'hotel' },
  key: { id: '4f0c9a4e-8f55-4d0b-9a54-0f6f5b1f7f10', env: 'live', kind: 'secret' },
}
const home = newHome()
const path = join(home, 'config', 'pullquote', 'profiles.json')

let server: Awaited<ReturnType<typeof startFakeServer>>
test.before(async () => {
  server = await startFakeServer(({ headers, path }) => {
    if (headers.authorization !== `Bearer ${KEY}` && headers.authorization !== `Bearer ${OTHER_KEY}`)
      return refusal(401, 'unauthorized')
    if (path === '/whoami') return { body: WHOAMI }
    return { body: path === '/v1/reviews' ? { reviews: [], next_cursor: null } : {} }
  })
})
test.after(() => server.close())

test('a key is tried before it is stored', async () => {
  const wrong = `svc_sk_live_${'8'.repeat(32)}`
  const { code } = await runCli(home, ['login', '--url', server.url, '--key-stdin'], { stdin: wrong })
  assert.is(code, 4)
  assert.equal(JSON.parse((await runCli(home, ['profiles', '--json'])).stdout), { profiles: [] })
})

test('login stores a profile for its owner only, and never prints the key', async () => {
  const { code, stdout, stderr } = await runCli(home, ['login', 'shop', '--url', server.url, '--key-stdin'], {
    stdin: `${KEY}\n`,
  })
  assert.is(code, 0)
  assert.not.match(stdout + stderr, new RegExp(KEY))
  if (process.platform !== 'win32') assert.is(statSync(path).mode & 0o777, 0o600)
})

test('the first profile is the default, and its key is used', async () => {
  const { code, stderr } = await runCli(home, ['reviews', 'list'])
  assert.is(code, 0, stderr)
  assert.is(server.seen.at(-1)?.headers.authorization, `Bearer ${KEY}`)
})

test('profiles are listed without keys', async () => {
  const { stdout } = await runCli(home, ['profiles', 'list', '--json'])
  assert.not.match(stdout, new RegExp(KEY))
  assert.equal(JSON.parse(stdout).profiles, [
    { name: 'shop', url: server.url, has: 'key', project: null, default: true },
  ])
})

test('a publishable key is refused', async () => {
  const { code, stderr } = await runCli(home, ['login', 'x', '--url', server.url, '--key-stdin'], {
    stdin: `svc_pk_live_${'7'.repeat(32)}`,
  })
  assert.is(code, 2)
  assert.match(stderr, /secret key/)
})

test('a name that would not be one is refused', async () => {
  const { code } = await runCli(home, ['login', '__proto__', '--url', server.url, '--key-stdin'], { stdin: KEY })
  assert.is(code, 2)
})

test('a profile that a format of files is called after is stored, with a word about it', async () => {
  const login = ['login', 'yotpo', '--url', server.url, '--key-stdin']
  const { code, stderr } = await runCli(home, login, { stdin: KEY })
  assert.is(code, 0, stderr)
  assert.match(stderr.replace(/\s+/g, ' '), /A file format is also called yotpo/)
  assert.is((await runCli(home, ['profiles', 'remove', 'yotpo', '--yes'])).code, 0)
})

test('profiles use and remove', async () => {
  await runCli(home, ['login', 'second', '--url', server.url, '--key-stdin'], { stdin: KEY })
  assert.match((await runCli(home, ['profiles', 'use', 'secnd'])).stderr, /did you mean "second"\?/)
  assert.is((await runCli(home, ['profiles', 'use', 'second'])).code, 0)
  assert.is((await runCli(home, ['profiles', 'remove', 'second', '--yes'])).code, 0)
  const { profiles } = JSON.parse((await runCli(home, ['profiles', '--json'])).stdout)
  assert.equal(
    profiles.map(({ name }: { name: string }) => name),
    ['shop'],
  )
})

test('another key or server for a profile that is there is a question, and without a terminal a refusal', async () => {
  const login = ['login', 'third', '--url', server.url, '--key-stdin']
  assert.is((await runCli(home, login, { stdin: KEY })).code, 0)
  assert.is((await runCli(home, login, { stdin: KEY })).code, 0, 'the same again loses nothing')
  const before = readFileSync(path, 'utf8')
  const refused = await runCli(home, login, { stdin: OTHER_KEY })
  assert.is(refused.code, 2)
  assert.match(refused.stderr, /profile third already exists and was left as it is.*\n.*--yes/)
  assert.is(readFileSync(path, 'utf8'), before)
  assert.is((await runCli(home, [...login, '--yes'], { stdin: OTHER_KEY })).code, 0)
  assert.match(readFileSync(path, 'utf8'), new RegExp(OTHER_KEY))
  assert.is((await runCli(home, ['profiles', 'remove', 'third', '--yes'])).code, 0)
})

test('a project or an environment that is not the key’s stores nothing', async () => {
  const login = ['login', 'fourth', '--url', server.url, '--key-stdin']
  const other = await runCli(home, [...login, '--project', 'other'], { stdin: KEY })
  assert.is(other.code, 2)
  assert.match(other.stderr, /the key belongs to the project hotel, but --project says other/)
  const env = await runCli(home, [...login, '--env', 'test'], { stdin: KEY })
  assert.is(env.code, 2)
  assert.match(env.stderr, /the environment live, but --env says test/)
  assert.not.match(readFileSync(path, 'utf8'), /fourth/)
})

test('of several that are stored at once none is lost', async () => {
  const folder = join(newHome(), 'config')
  const names = Array.from({ length: 8 }, (_, index) => `p${index}`)
  const add = (name: string) =>
    changeProfiles(folder, ({ profiles }) => ({ profiles: { ...profiles, [name]: { url: server.url } } }))
  await Promise.all(names.map(add))
  assert.equal(Object.keys((await readProfiles(folder)).profiles).sort(), names)
  assert.equal(readdirSync(folder), ['profiles.json'])
})

test('an account without a home has no profiles', async () => {
  assert.equal(await readProfiles(join(import.meta.filename, 'config')), { profiles: {} })
})

test('a damaged file is named with what to do', async () => {
  writeFileSync(path, '{"profiles": 5}')
  const { code, stderr } = await runCli(home, ['reviews', 'list'])
  assert.is(code, 1)
  assert.match(stderr, /profiles\.json is not a profiles file/)
  assert.match(stderr, /pullquote login/)
})

if (noTerminal) test.skip('a command in a hint stays whole in a narrow window', noTerminal)
else {
  test('a command in a hint stays whole in a narrow window', async () => {
    const { shown } = await runInTerminal(newHome(), ['profiles', 'list'], [], { columns: 50 })
    assert.is(shown, 'There are no profiles. Try:\n  pullquote login NAME --url URL\n')
  })
}

test.run()
