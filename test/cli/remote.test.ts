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

test.run()
