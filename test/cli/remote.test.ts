import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { accepted, startFakeServer } from './fake-server.ts'
import { newHome, runCli } from './run-cli.ts'

const test = suite('the command line against a server elsewhere')
const sample = join(import.meta.dirname, '..', '..', 'templates', 'demo', 'reviews.json')
const home = newHome()

test('a remote command loads neither the server nor the embedded database', async () => {
  const log = join(home, 'loaded.txt')
  const hook = join(home, 'hook.mjs')
  writeFileSync(
    hook,
    `import { register } from 'node:module'
     import { appendFileSync } from 'node:fs'
     const source = 'import { appendFileSync } from "node:fs"; export async function load(url, context, next) {' +
       'appendFileSync(${JSON.stringify(log)}, url + "\\\\n"); return next(url, context) }'
     register('data:text/javascript,' + encodeURIComponent(source))`,
  )
  const server = await startFakeServer(accepted)
  const { code, stderr } = await runCli(home, ['reviews', 'push', sample, '--url', server.url], {
    env: { PULLQUOTE_KEY: `svc_sk_live_${'0'.repeat(32)}`, NODE_OPTIONS: `--import=${pathToFileURL(hook)}` },
  })
  await server.close()
  assert.is(code, 0, stderr)
  const loaded = readFileSync(log, 'utf8')
  assert.match(loaded, /commands\/reviews\/push\.[jt]s/)
  assert.not.match(loaded, /pglite|\/server\/|postgres|h3\//)
})

test('a project whose making had no answer is not made twice, and the command says how to look', async () => {
  let asked = 0
  const server = createServer((request) => {
    asked++
    request.socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { code, stderr } = await runCli(home, ['projects', 'create', 'hotel', '--url', url], {
    env: { PULLQUOTE_OPERATOR_TOKEN: 'operator-token-of-the-tests' },
  })
  server.close()
  assert.is(code, 1)
  assert.is(asked, 1)
  assert.match(
    stderr.replace(/\s+/g, ' '),
    /the project may have been created all the same\. .*pullquote projects list/,
  )
})

/** What would write to the clipboard, hide a link's address, and turn the direction of what follows. */
const HOSTILE = '\u001b]52;c;QQ==\u0007\u001b]8;;http://evil.example\u001b\\here\u202e\u009d\u061c\r'
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u202e]/

test('no answer of a server moves the terminal, whichever field it is in', async () => {
  const id = '11111111-1111-4111-8111-111111111111'
  const moment = '2026-01-01T00:00:00.000Z'
  const key = { id, project: 'p', kind: 'secret', env: 'live', name: null, hint: `ab${HOSTILE}`, created_at: moment }
  const review = {
    ...{ id, external_id: 'e', source: 'google', rating: 5, text: 'Good', author_name: 'A', author_avatar_url: null },
    ...{ occurred_at: moment, url: null, language: `en${HOSTILE}`, metadata: {}, sentiment: 'positive' },
    ...{ sentiment_source: 'rating', hidden: false, status: 'indexed', created_at: moment, updated_at: moment },
  }
  const error = { code: 'validation_failed', message: 'no', doc_url: 'http://d.example', request_id: `r${HOSTILE}` }
  const server = await startFakeServer(({ path }) => {
    if (path === '/operator/keys')
      return { body: { keys: [{ ...key, last_used_at: null, expires_at: null, revoked_at: null }], next_cursor: null } }
    return path.startsWith('/v1/reviews/') ? { body: review } : { status: 422, body: { error } }
  })
  const env = {
    PULLQUOTE_KEY: `svc_sk_live_${'0'.repeat(32)}`,
    PULLQUOTE_OPERATOR_TOKEN: 'operator-token-of-the-tests',
  }
  const commands = { 'keys list': /ab\S*here/, [`reviews show ${id}`]: /en\S*here/, whoami: /Request id: r\S*here/ }
  try {
    for (const [command, told] of Object.entries(commands)) {
      const { stdout, stderr } = await runCli(home, [...command.split(' '), '--url', server.url], { env })
      assert.match(stdout + stderr, told, command)
      assert.not.match(stdout + stderr, CONTROLS, command)
    }
  } finally {
    await server.close()
  }
})

test('nor does anything that was typed, or the name of a folder', async () => {
  const folder = join(home, `in${HOSTILE.replace('http://', '')}`)
  for (const args of [[`foo${HOSTILE}`], ['init', 'env', '--dir', folder]]) {
    const { stdout, stderr } = await runCli(home, args)
    assert.match(stdout + stderr, '52;c;QQ==')
    assert.not.match(stdout + stderr, CONTROLS, args[0])
  }
})

test.run()
