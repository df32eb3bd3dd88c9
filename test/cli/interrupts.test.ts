import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { exampleCreatedKey, exampleProject } from '../client/example-answers.ts'
import { suite } from '../suite.ts'
import { until } from '../waiting.ts'
import { type Canned, type Seen, startFakeServer } from './fake-server.ts'
import { KEYS, noTerminal, runInTerminal } from './in-terminal.ts'
import { CLI, environmentOf, newHome, runCli, SECRET_KEY } from './run-cli.ts'

const test = suite('Ctrl-C and SIGTERM')
const OPERATOR = { PULLQUOTE_OPERATOR_TOKEN: 'operator-token-of-the-tests' }
const project = exampleProject()
const NOBODY = 'postgres://nobody@127.0.0.1:1/none'

/** A server that never answers `silent`, and tells when it was asked for it. */
async function startServer(silent: string) {
  let tell = () => {}
  const asked = new Promise<void>((resolve) => {
    tell = resolve
  })
  const never = new Promise<Canned>(() => {})
  const server = await startFakeServer(({ method, path }: Seen) => {
    if (path === silent) {
      tell()
      return never
    }
    if (method === 'DELETE') return { status: 204 }
    if (path === '/operator/keys') {
      return { status: 201, body: exampleCreatedKey() }
    }
    return { body: { projects: [project] } }
  })
  return { ...server, asked }
}

for (const [args, silent, said] of [
  [['backup', 'FILE'], '/operator/backup', /interrupted; .*b\.jsonl\.gz was not written/],
  [['projects', 'list'], '/operator/projects', /interrupted/],
  [['status'], '/readyz', /interrupted/],
  [['query', 'sauna'], '/v1/query', /interrupted/],
  [['whoami', '--key', SECRET_KEY], '/whoami', /interrupted/],
  [['doctor'], '/operator/doctor', /interrupted/],
] as const) {
  const name = args.join(' ')
  test(`${name}: a server that does not answer is no reason to go on; Ctrl-C is 130 and SIGTERM 143`, async () => {
    for (const [signal, expected] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const)
      await endedBy(signal, expected)
  })

  async function endedBy(signal: NodeJS.Signals, expected: number) {
    const home = newHome()
    const file = join(home, 'b.jsonl.gz')
    const server = await startServer(silent)
    const words = args.map((word) => (word === 'FILE' ? file : word))
    try {
      const { code, stderr } = await runCli(home, [...words, '--url', server.url], {
        env: OPERATOR,
        onStart: (child) => void server.asked.then(() => child.kill(signal)),
      })
      assert.is(code, expected, stderr)
      assert.match(stderr, said)
      assert.not.match(stderr, /no answer/)
      assert.is(existsSync(file), false)
    } finally {
      await server.close()
    }
  }
}

test('a database that cannot be reached is not waited for after a signal', async () => {
  const env = { DATABASE_URL: NOBODY, PULLQUOTE_LOG_LEVEL: 'warn' }
  for (const [args, expected] of [
    [['serve', '--port', '0'], 0],
    [['projects', 'list'], 143],
  ] as const) {
    let signalled = 0
    const { code, stderr } = await runCli(newHome(), [...args], {
      env,
      onStart: (child) => {
        const onText = (text: Buffer) => {
          if (signalled > 0 || !String(text).includes('cannot be reached yet')) return
          signalled = Date.now()
          child.kill('SIGTERM')
        }
        child.stdout.on('data', onText)
        child.stderr.on('data', onText)
      },
    })
    assert.ok(signalled > 0, stderr)
    assert.ok(Date.now() - signalled < 20_000, `it took ${Date.now() - signalled} ms`)
    assert.is(code, expected, stderr)
  }
})

test('a database that cannot be reached is told as such, and not at the end of the wait alone', async () => {
  const home = newHome()
  const backup = join(home, 'backup.jsonl.gz')
  assert.is((await runCli(home, ['backup', backup])).code, 0)
  for (const args of [
    ['projects', 'list'],
    ['restore', backup],
  ]) {
    const { code, stderr } = await runCli(newHome(), args, {
      env: { DATABASE_URL: NOBODY },
      onStart: (child) => child.stderr.once('data', () => child.kill('SIGTERM')),
    })
    assert.match(
      stderr,
      /^Still opening the database after 10 s: another command may be using it, it may be unreachable/,
    )
    // Null: ended by the signal itself.
    assert.is(code ?? 143, 143, stderr)
  }
})

if (noTerminal) test.skip('on a terminal', noTerminal)
else {
  test('a terminal that is closed ends a server as SIGTERM does, and the file that names it is gone', async () => {
    const home = newHome()
    const child = spawn('script', ['-qec', `exec ${process.execPath} ${CLI} serve --port 0`, '/dev/null'], {
      env: { ...environmentOf(home), PULLQUOTE_HOME: home, SHELL: '/bin/sh' },
    })
    try {
      await once(child.stdout, 'data')
      const named = join(home, 'server.json')
      await until('it serves', () => existsSync(named))
      child.kill('SIGKILL')
      await until('it has ended as when it is stopped', () => !existsSync(named))
    } finally {
      child.kill('SIGKILL')
    }
  })

  test('while the reviews are typed, Ctrl-C ends the push', async () => {
    const server = await startServer('nothing')
    try {
      const args = ['reviews', 'push', '-', '--url', server.url]
      const { code, shown } = await runInTerminal(newHome(), args, [{ seen: /Pushing/, type: KEYS.ctrlC }], {
        env: OPERATOR,
      })
      assert.is(code, 130, shown)
      assert.match(shown, /interrupted; 0 records were pushed before/)
    } finally {
      await server.close()
    }
  })

  test('--key-stdin asks for the key, and Ctrl-C at it ends the command', async () => {
    const server = await startServer('nothing')
    try {
      const args = ['query', 'sauna', '--key-stdin', '--url', server.url]
      const { code, shown } = await runInTerminal(newHome(), args, [{ seen: /API key:/, type: KEYS.ctrlC }], {
        env: OPERATOR,
      })
      assert.is(code, 130, shown)
      assert.is(server.seen.length, 0)
    } finally {
      await server.close()
    }
  })
}

test.run()
