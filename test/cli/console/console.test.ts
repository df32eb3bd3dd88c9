import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import { buildConsole } from '../../../scripts/build-console.ts'
import { openBrowser } from '../../../src/cli/console.ts'
import { suite } from '../../suite.ts'
import { until } from '../../waiting.ts'
import { newHomeWithDatabase, runCli } from '../run-cli.ts'
import { type ServeProcess, serve } from '../serve-process.ts'

const test = suite('pullquote console')
const home = await newHomeWithDatabase()
let server: ServeProcess

test.before(async () => {
  const made = await runCli(home, ['projects', 'create', 'hotel', '--excerpts', 'no_complaints', '--json'])
  assert.is(JSON.parse(made.stdout).excerpts, 'no_complaints', made.stderr)
  server = await serve(home)
})
test.after(async () => {
  await server?.stop()
  rmSync(home, { recursive: true, force: true })
})

const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await runCli(home, [...args, '--json'])
  assert.is(code, 0, stderr)
  return JSON.parse(stdout)
}

async function enter(url: string): Promise<number> {
  const { origin, hash } = new URL(url)
  const response = await fetch(`${origin}/console/api/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ link: hash.replace('#sign-in=', '') }),
  })
  return response.status
}

test('it prints a link that signs in once', async () => {
  const { code, stdout, stderr } = await runCli(home, ['console', '--no-open'])
  assert.is(code, 0, stderr)
  assert.match(stdout, new RegExp(`^${server.url}/console#sign-in=[\\w-]{43}\n$`))
  assert.match(stderr, /works once, within ten minutes/)
  assert.equal([await enter(stdout.trim()), await enter(stdout.trim())], [200, 401])
})

test("an owner's link is listed, and revoked by the beginning of its id", async () => {
  const { id, url, project } = await json('console', '--project', 'hotel', '--for', '3')
  assert.is(project, 'hotel')
  assert.equal([await enter(url), await enter(url)], [200, 200])
  const { links } = await json('console', 'list')
  const listed = links.find((link: { id: string }) => link.id === id)
  assert.equal([listed.project, listed.sessions], ['hotel', 2])
  assert.not.match(JSON.stringify(links), new RegExp(url.split('=')[1]))
  const refused = await runCli(home, ['console', 'revoke', id.slice(0, 8)])
  assert.is(refused.code, 2, 'nobody agreed')
  assert.equal(await json('console', 'revoke', id.slice(0, 8), '--yes'), { revoked: [id] })
  assert.is(await enter(url), 401)
  const again = await runCli(home, ['console', 'revoke', id, '--yes'])
  assert.match(again.stderr, /there is no link/)
  await json('console')
  assert.ok((await json('console', 'revoke', '--all', '--yes')).revoked.length > 0)
  assert.equal((await json('console', 'list')).links, [])
})

test('what cannot be is said: no such project, days without a project, no link named', async () => {
  for (const [args, code, said] of [
    [['console', '--project', 'hotl'], 1, /did you mean "hotel"/],
    [['console', '--for', '3'], 2, /--project/],
    [['console', '--project', 'hotel', '--for', '0'], 2, /--for/],
    [['console', '--project', 'hotel', '--no-open'], 2, /--no-open/],
    [['console', 'revoke'], 2, /give a link or --all/],
    [['console', 'revoke', 'abcd', '--all'], 2, /give a link or --all/],
    [['projects', 'set', 'hotel', '--excerpts', 'some'], 2, /all, no_complaints|excerpts/],
  ] as const) {
    const result = await runCli(home, [...args])
    assert.is(result.code, code, `${args.join(' ')}: ${result.stderr}`)
    assert.match(result.stderr, said, args.join(' '))
  }
})

test('complaints are set and shown', async () => {
  assert.is((await json('projects', 'set', 'hotel', '--excerpts', 'all')).excerpts, 'all')
  const { stdout } = await runCli(home, ['projects', 'show', 'hotel'])
  assert.match(stdout, /complaints +appear/)
})

test('without a server, or with a console that is off, it says what to do', async () => {
  const other = await newHomeWithDatabase()
  const none = await runCli(other, ['console'])
  assert.is(none.code, 1)
  assert.match(none.stderr, /no server is running.*\n.*pullquote serve/s)
  const open = await serve(other, { env: { PULLQUOTE_PUBLIC_URL: 'https://reviews.example.com' } })
  try {
    const off = await runCli(other, ['console', '--no-open'])
    assert.is(off.code, 1)
    assert.match(off.stderr, /start the server with --console/)
    assert.is((await fetch(`${open.url}/console`)).status, 404)
  } finally {
    await open.stop()
  }
  const asked = await serve(other, {
    env: { PULLQUOTE_PUBLIC_URL: 'https://reviews.example.com', PULLQUOTE_CONSOLE: 'true' },
  })
  try {
    const { stdout } = await runCli(other, ['console', '--no-open'])
    assert.match(stdout, /^https:\/\/reviews\.example\.com\/console#sign-in=/)
  } finally {
    await asked.stop()
    rmSync(other, { recursive: true, force: true })
  }
})

test('a browser is opened without a shell, and where there is no screen it is not tried', async () => {
  const marker = join(home, 'opened')
  const program = join(home, 'xdg-open')
  writeFileSync(program, `#!/bin/sh\nprintf '%s' "$1" > ${marker}\n`, { mode: 0o755 })
  const path = process.env.PATH
  process.env.PATH = `${home}:${path}`
  try {
    const url = 'http://127.0.0.1:1/console#sign-in=$(touch x);&'
    assert.is(await openBrowser(url, {}, 'linux'), false)
    assert.is(existsSync(marker), false)
    assert.is(await openBrowser(url, { DISPLAY: ':0' }, 'linux'), true)
    await until('it was opened', () => existsSync(marker) && readFileSync(marker, 'utf8') !== '')
    assert.is(readFileSync(marker, 'utf8'), url)
    process.env.PATH = '/nowhere'
    assert.is(await openBrowser(url, { DISPLAY: ':0' }, 'linux'), false)
  } finally {
    process.env.PATH = path
  }
})

test('the page is less than 40 KB with gzip', async () => {
  const folder = join(home, 'built')
  const { gzip } = await buildConsole(folder)
  assert.ok(gzip < 40_000 && gzip > 5_000, `${gzip}`)
  // Nothing of other hosts; the scheme alone completes an address that an owner typed.
  assert.not.match(readFileSync(join(folder, 'console.js'), 'utf8'), /https?:\/\/(?!\$\{|www\.(example\.com|w3\.org))/)
  assert.ok(gzipSync(readFileSync(join(folder, 'console.css'))).length < 10_000)
})

test.run()
