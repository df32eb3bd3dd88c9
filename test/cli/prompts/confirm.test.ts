import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { exampleProject, exampleReview } from '../../client/example-answers.ts'
import { suite } from '../../suite.ts'
import { startFakeServer } from '../fake-server.ts'
import { KEYS, noTerminal, runInTerminal } from '../in-terminal.ts'
import { newHome, runCli } from '../run-cli.ts'

const test = suite('commands that lose something ask first')
const ID = '3f0c9a4e-8f55-4d0b-9a54-0f6f5b1f7f10'
const project = exampleProject({ reviews: { live: 3, test: 2 } })
const key = {
  id: ID,
  kind: 'secret',
  env: 'live',
  project: 'hotel',
  hint: 'a1b2',
  name: null,
  last_used_at: null,
  created_at: '2026-01-01T00:00:00Z',
  revoked_at: null,
  expires_at: null,
}
const review = exampleReview({
  id: ID,
  rating: 2,
  text: 'The lift was out of order all week.',
  sentiment: 'negative',
})

async function startServer() {
  return startFakeServer(({ method, path }) => {
    if (method === 'DELETE') return { status: 204 }
    if (path === '/operator/wipe') return { body: { deleted: 2 } }
    if (path === '/operator/keys') return { body: { keys: [key] } }
    if (path === '/operator/projects') return { body: { projects: [project] } }
    if (path.startsWith('/review-ids/')) return { body: { ids: [ID] } }
    if (path.startsWith('/v1/reviews/')) return { body: review }
    return { body: project }
  })
}

/** What may be lost, and what is seen of it before the answer. */
const LOSING: [args: string[], question: RegExp][] = [
  [['keys', 'revoke', ID], /Revoke the key sk_live_…a1b2 of hotel\?/],
  [['projects', 'delete', 'hotel'], /Delete the project hotel with 5 reviews .*Type hotel to agree/],
  [['reviews', 'wipe', '--env', 'test'], /Delete all 2 test reviews of hotel\?/],
  [['reviews', 'delete', '3f0c'], /Delete 3f0c9a4e {2}★★☆☆☆ Marta K\., 2026-01-05: “The lift was out of order/],
]

const env = { PULLQUOTE_OPERATOR_TOKEN: 'operator-token-of-the-tests', PULLQUOTE_KEY: `svc_sk_live_${'0'.repeat(32)}` }
const lost = ({ seen }: Awaited<ReturnType<typeof startServer>>) =>
  seen.filter(({ method, path }) => method === 'DELETE' || path === '/operator/wipe').length

function homeWithProfile(): string {
  const home = newHome()
  const folder = join(home, 'config', 'pullquote')
  mkdirSync(folder, { recursive: true })
  const profiles = { profiles: { shop: { url: 'https://shop.example', key: env.PULLQUOTE_KEY } } }
  writeFileSync(join(folder, 'profiles.json'), JSON.stringify(profiles), { mode: 0o600 })
  return home
}
const profilesIn = (home: string) => readFileSync(join(home, 'config', 'pullquote', 'profiles.json'), 'utf8')

test('without a terminal and without --yes each of them is refused, and does it with --yes', async () => {
  const server = await startServer()
  try {
    const runs = LOSING.map(async ([args]) => {
      const refused = await runCli(newHome(), [...args, '--url', server.url], { env })
      assert.is(refused.code, 2, args.join(' '))
      assert.match(refused.stderr, /nothing was (deleted|revoked): this needs confirmation, and there is no terminal/)
      assert.match(refused.stderr, /Try: confirm with --yes/)
    })
    await Promise.all(runs)
    assert.is(lost(server), 0)
    for (const [args] of LOSING) {
      const { code, stderr } = await runCli(newHome(), [...args, '--yes', '--url', server.url], { env })
      assert.is(code, 0, stderr)
    }
    // A key from the pipe can be read once only, and is needed before the question and after it.
    const piped = ['reviews', 'delete', '3f0c', '--key-stdin', '--yes', '--url', server.url]
    const { code, stderr } = await runCli(newHome(), piped, { stdin: env.PULLQUOTE_KEY })
    assert.is(code, 0, stderr)
    assert.is(lost(server), LOSING.length + 1)
  } finally {
    await server.close()
  }
})

test('a profile and the key in it are not forgotten unasked', async () => {
  const home = homeWithProfile()
  assert.is((await runCli(home, ['profiles', 'remove', 'shop'])).code, 2)
  assert.match(profilesIn(home), /svc_sk_live/)
  assert.is((await runCli(home, ['profiles', 'remove', 'shop', '--yes'])).code, 0)
  assert.not.match(profilesIn(home), /svc_sk_live/)
})

if (noTerminal) test.skip('answers on a terminal', noTerminal)
else
  for (const [args, question] of LOSING) {
    const name = args.slice(0, 2).join(' ')
    test(`${name}: no is exit 1, Ctrl-C and Ctrl-D are 130, and nothing is lost`, async () => {
      const server = await startServer()
      try {
        for (const [type, expected] of [
          [KEYS.enter, 1],
          [KEYS.ctrlC, 130],
          [KEYS.ctrlD, 130],
        ] as const) {
          const { code, shown } = await runInTerminal(
            newHome(),
            [...args, '--url', server.url],
            [{ seen: question, type }],
            { env },
          )
          assert.is(code, expected, shown)
          assert.match(shown, /nothing was (deleted|revoked)\.\n$/i)
        }
        assert.is(lost(server), 0)
      } finally {
        await server.close()
      }
    })
  }

if (!noTerminal)
  test('projects create asks about complaints when there is a project, not where none may be made', async () => {
    const server = await startFakeServer(({ method, body }) => {
      if (method === 'PATCH') return { body: { ...project, excerpts: 'no_complaints' } }
      if (Reflect.get(Object(body), 'name') === 'hotel') return { body: project }
      return {
        status: 422,
        body: { error: { code: 'validation_failed', message: 'one free project', request_id: 'r' } },
      }
    })
    const create = ['projects', 'create', '--url', server.url]
    const question = { seen: /Leave out sentences that read as complaints/ }
    try {
      const refused = await runInTerminal(newHome(), [...create, 'second'], [], { env })
      assert.not.match(refused.shown, question.seen)
      const yes = await runInTerminal(newHome(), [...create, 'hotel'], [{ ...question, type: 'y\r' }], { env })
      assert.match(yes.shown, /do not appear/)
      const ended = await runInTerminal(newHome(), [...create, 'hotel'], [{ ...question, type: KEYS.ctrlC }], { env })
      assert.is(ended.code, 130)
      assert.match(ended.shown, /the project is there, and complaints may appear/)
    } finally {
      await server.close()
    }
  })

test.run()
