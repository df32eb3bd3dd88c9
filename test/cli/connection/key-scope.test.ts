import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { type Canned, refusal } from '../fake-server.ts'
import { newHome, runAgainst, runCli } from '../run-cli.ts'
import { serve } from '../serve-process.ts'

const test = suite('a key with a project or an environment beside it')
const SECRET = `svc_sk_test_${'0'.repeat(32)}`
const PUBLISHABLE = `svc_pk_live_${'0'.repeat(32)}`
const ORIGIN = ['--origin', 'https://www.hotel.example']
const recent = { results: [], match: 'recent', took_ms: 1, cached: false, badge: true }

async function withServer(
  args: string[],
  options: { key?: string; env?: Record<string, string>; whoami?: Canned; home?: string } = {},
) {
  const { key = SECRET, env = {}, home = newHome() } = options
  const whoami = options.whoami ?? {
    body: { key: { id: 'k', kind: 'secret', env: 'test' }, project: { id: 'id-of-inn', name: 'inn' } },
  }
  const { seen, ...outcome } = await runAgainst(args, {
    answer: ({ path }) => (path === '/whoami' ? whoami : { body: recent }),
    home,
    env: { PULLQUOTE_KEY: key, ...env },
  })
  return { ...outcome, queries: seen.filter(({ path }) => path === '/v1/query').length }
}

test("another project than the key's is refused, by whatever it was named, and nothing is asked of the server", async () => {
  const byFlag = await withServer(['query', '--project', 'hotel'])
  assert.equal([byFlag.code, byFlag.queries], [2, 0])
  assert.match(byFlag.stderr, /the key belongs to the project inn, but --project says hotel/)

  const byVariable = await withServer(['query'], { env: { PULLQUOTE_PROJECT: 'hotel' } })
  assert.equal([byVariable.code, byVariable.queries], [2, 0])
  assert.match(byVariable.stderr, /PULLQUOTE_PROJECT says hotel/)

  const home = newHome()
  const folder = join(home, 'config', 'pullquote')
  mkdirSync(folder, { recursive: true })
  const profiles = { profiles: { ops: { url: 'https://other.example', project: 'hotel' } } }
  writeFileSync(join(folder, 'profiles.json'), JSON.stringify(profiles), { mode: 0o600 })
  const byProfile = await withServer(['query', '--profile', 'ops'], { home })
  assert.equal([byProfile.code, byProfile.queries], [2, 0])
  assert.match(byProfile.stderr, /the profile "ops" says hotel/)
})

test("the key's own project may be named, by name or id", async () => {
  for (const name of ['inn', 'id-of-inn']) {
    const { code, queries, stderr } = await withServer(['query', '--project', name])
    assert.equal([code, queries], [0, 1], stderr)
  }
})

test("the key's own project may be named with accents in the other form", async () => {
  const whoami = { body: { key: { id: 'k', kind: 'secret', env: 'test' }, project: { id: 'p', name: 'Ho\u0302tel' } } }
  const { code, queries, stderr } = await withServer(['query', '--project', 'H\u00f4tel'], { whoami })
  assert.equal([code, queries], [0, 1], stderr)
})

test('without a project nobody asks whose the key is', async () => {
  const { code, queries } = await withServer(['query'], { whoami: refusal(500, 'internal') })
  assert.equal([code, queries], [0, 1])
})

test('a server that cannot tell is no yes', async () => {
  const { code, queries, stderr } = await withServer(['query', '--project', 'inn'], {
    whoami: refusal(404, 'not_found'),
  })
  assert.equal([code, queries], [2, 0])
  assert.match(stderr, /leave --project out: the key decides/)
})

test('a publishable key does not tell its project either', async () => {
  const { code, queries } = await withServer(['query', ...ORIGIN, '--project', 'inn'], { key: PUBLISHABLE })
  assert.equal([code, queries], [2, 0])
})

test('what named the environment is said', async () => {
  const { code, queries, stderr } = await withServer(['query'], { env: { PULLQUOTE_ENV: 'live' } })
  assert.equal([code, queries], [2, 0])
  assert.match(stderr, /the key belongs to the environment test, but PULLQUOTE_ENV says live/)
})

test('a real server tells of which project its keys are, to commands on its machine also of publishable ones', async () => {
  const home = newHome()
  const server = await serve(home)
  const run = (args: string[], key?: string) =>
    runCli(home, args, key === undefined ? {} : { env: { PULLQUOTE_KEY: key } })
  try {
    for (const name of ['hotel', 'inn']) {
      const { code, stderr } = await run([
        'projects',
        'create',
        name,
        '--plan',
        'paid',
        '--origin',
        'https://a.example',
      ])
      assert.is(code, 0, stderr)
    }
    const make = async (kind: string) =>
      (await run(['keys', 'create', '--project', 'inn', '--kind', kind, '--env', 'live'])).stdout.trim()
    const secret = await make('secret')
    assert.is((await run(['reviews', 'list', '--project', 'inn'], secret)).code, 0)
    const refused = await run(['reviews', 'list', '--project', 'hotel'], secret)
    assert.is(refused.code, 2)
    assert.match(refused.stderr, /belongs to the project inn/)
    const publishable = await make('publishable')
    assert.is((await run(['snippet', '--project', 'inn'], publishable)).code, 0)
    const foreign = await run(['snippet', '--project', 'hotel'], publishable)
    assert.is(foreign.code, 2)
    assert.match(foreign.stderr, /belongs to the project inn, but --project says hotel/)
  } finally {
    await server.stop()
  }
})

test.run()
