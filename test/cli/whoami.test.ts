import * as assert from 'uvu/assert'
import { exampleProject } from '../client/example-answers.ts'
import { suite } from '../suite.ts'
import { refusal, startFakeServer } from './fake-server.ts'
import { newHome, runCli } from './run-cli.ts'

const test = suite('pullquote whoami')
const key = `svc_sk_test_${'0'.repeat(28)}Ab12`
const project = exampleProject({ reviews: { live: 2, test: 0 } })

test('a key tells its project and environment; the key itself is not shown', async () => {
  const server = await startFakeServer(({ headers, path }) => {
    if (headers.authorization !== `Bearer ${key}`) return refusal(401, 'unauthorized')
    assert.is(path, '/whoami')
    return { body: { key: { id: 'k-1', kind: 'secret', env: 'test' }, project: { id: 'p-1', name: 'hotel' } } }
  })
  const home = newHome()
  const env = { PULLQUOTE_KEY: key, PULLQUOTE_URL: server.url }
  const answer = JSON.parse((await runCli(home, ['whoami', '--json'], { env })).stdout)
  const { url } = server
  assert.equal(answer, {
    ...{ server: 'remote', url, profile: null, operator: false, project: 'hotel', env: 'test' },
    key: { kind: 'secret', hint: 'Ab12' },
  })
  const shown = await runCli(home, ['whoami'], { env })
  assert.match(shown.stdout, /project +hotel\nenvironment +test\nkey +sk_test_…Ab12/)
  assert.not.match(shown.stdout + shown.stderr, new RegExp(key))
  const refused = await runCli(home, ['whoami'], { env: { ...env, PULLQUOTE_KEY: key.replace('Ab12', 'Zz12') } })
  assert.is(refused.code, 4)
  await server.close()
})

test('with the operator token it tells the project that commands would take', async () => {
  const server = await startFakeServer(() => ({ body: { projects: [project] } }))
  const env = { PULLQUOTE_OPERATOR_TOKEN: 't'.repeat(40), PULLQUOTE_URL: server.url }
  const { stdout } = await runCli(newHome(), ['whoami', '--env', 'test'], { env })
  assert.match(stdout, /project +hotel\nenvironment +test\nkey +none \(using the operator token\)/)
  await server.close()
})

test.run()
