import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { buildSnippet } from '../../../scripts/build-snippet.ts'
import { readBundles } from '../../../server/snippet/bundles.ts'
import { reservedHeight } from '../../../snippet/reserved-height.ts'
import { suite } from '../../suite.ts'
import { KEYS, noTerminal, runInTerminal } from '../in-terminal.ts'
import { dataFolderOf, newHome, runCli } from '../run-cli.ts'
import { type ServeProcess, serve } from '../serve-process.ts'

const test = suite('pullquote snippet')
const sample = join(import.meta.dirname, '..', '..', '..', 'templates', 'demo', 'reviews.json')
const home = newHome()

const PAGES: Record<string, string> = {
  '/sauna': `<title>Sauna – Tarnholm</title><meta name="description" content="A window onto the water.">
    <meta property="og:site_name" content="Tarnholm"><h1>A sauna with a view of the lake</h1>`,
  '/wellness': `<title>Wellness</title><meta name="description" content="A sauna with a view of the lake.">`,
  '/tax': '<title>Tax</title><h1>When is the income tax return due?</h1>',
}
const site = createServer((request, response) => {
  const html = PAGES[request.url ?? '']
  response.writeHead(html ? 200 : 404, { 'content-type': 'text/html' }).end(html)
})
let origin = ''
let server: ServeProcess | undefined

async function json(args: string[], code = 0) {
  const result = await runCli(home, [...args, '--json'])
  assert.is(result.code, code, `${args.join(' ')}: ${result.stderr}`)
  return JSON.parse(result.stdout)
}

test.before(async () => {
  // The server reads the built file, which a fresh checkout has not.
  if (!readBundles()) await buildSnippet()
  await new Promise<void>((ready) => site.listen(0, '127.0.0.1', ready))
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  // Commands find it by its lock file, and need not open the database each.
  server = await serve(home, { env: { PULLQUOTE_LOG_LEVEL: 'error' } })
})
test.after(async () => {
  await server?.stop()
  site.close()
})

test('the tag has a new publishable key of the project, the file and its integrity', async () => {
  await json(['projects', 'create', 'hotel', '--origin', origin])
  await json(['reviews', 'push', sample, '--wait'])
  const made = await json([
    'snippet',
    '--new-key',
    '--host',
    'https://reviews.example/',
    '--limit',
    '3',
    '--note',
    'rating',
  ])
  assert.match(made.key.key, /^svc_pk_live_[0-9A-Za-z]{32}$/)
  assert.is(
    made.tag,
    `<pullquote-reviews style="display: block; min-height: ${reservedHeight(3)}" data-key="${made.key.key}" data-limit="3" data-note="auto" data-reserve="auto" data-host="https://reviews.example/"></pullquote-reviews>\n<script async src="https://reviews.example/snippet.js" onerror="for(let e of document.querySelectorAll('pullquote-reviews'))e.style.minHeight=0"></script>`,
  )
  const bundle = readBundles()?.current
  assert.is(made.integrity, bundle?.integrity)
  assert.ok(
    made.pinned_tag.endsWith(
      `<script async src="https://reviews.example${bundle?.path}" integrity="${bundle?.integrity}" crossorigin="anonymous" onerror="for(let e of document.querySelectorAll('pullquote-reviews'))e.style.minHeight=0"></script>`,
    ),
  )
  const { keys } = await json(['keys', 'list'])
  const [{ kind, name }] = keys.filter(({ id }: { id: string }) => id === made.key.id)
  assert.equal([kind, name], ['publishable', 'snippet'])
  // --new-key and --no-key are flags, and rank above a key of the environment.
  const env = { PULLQUOTE_KEY: made.key.key }
  const another = JSON.parse((await runCli(home, ['snippet', '--new-key', '--json'], { env })).stdout)
  assert.ok(another.key.created && another.key.key !== made.key.key)
  assert.not.match((await runCli(home, ['snippet', '--no-key'], { env })).stdout, new RegExp(made.key.key))
})

test('no key is made unless that was asked for', async () => {
  const before = (await json(['keys', 'list', '--all'])).keys.length
  const { code, stdout, stderr } = await runCli(home, ['snippet'])
  assert.equal([code, stdout], [2, ''])
  assert.match(stderr, /--key[\s\S]*--new-key[\s\S]*--no-key/)
  assert.is((await json(['keys', 'list', '--all'])).keys.length, before)
})

if (noTerminal) test.skip('on a terminal it asks', noTerminal)
else
  test('on a terminal it asks, and tells which keys there are', async () => {
    const before = (await json(['keys', 'list', '--all'])).keys.length
    const steps = [{ seen: /Create a new publishable key for hotel \(live\)\?/, type: `n${KEYS.enter}` }]
    const { code, shown } = await runInTerminal(home, ['snippet'], steps)
    assert.is(code, 0, shown)
    assert.match(shown, /hotel already has publishable keys: ….{4} \(snippet\)/)
    assert.match(shown, /YOUR_PUBLISHABLE_KEY/)
    assert.is((await json(['keys', 'list', '--all'])).keys.length, before)
  })

test('an address of the server that a page would take for a path is refused', async () => {
  for (const host of ['foo', 'reviews.example.com', '//reviews.example.com', 'ftp://x', 'https://x/?a=b']) {
    const { code, stderr } = await runCli(home, ['snippet', '--no-key', '--host', host])
    assert.is(code, 2, host)
    assert.match(stderr, /give the full address, for example https:/)
  }
})

test('the tag uses the public address of the server, wherever that is set', async () => {
  const other = newHome()
  const tag = async () => (await runCli(other, ['snippet', '--no-key'])).stdout
  mkdirSync(dataFolderOf(other), { recursive: true })
  writeFileSync(join(dataFolderOf(other), 'config.env'), 'PULLQUOTE_PUBLIC_URL=https://reviews.example/r/\n')
  await runCli(other, ['projects', 'create', 'hotel'])
  assert.match(await tag(), /src="https:\/\/reviews\.example\/r\/snippet\.js"/)
  const running = await serve(other, {
    env: { PULLQUOTE_PUBLIC_URL: 'https://other.example', PULLQUOTE_LOG_LEVEL: 'error' },
  })
  try {
    assert.match(await tag(), /src="https:\/\/other\.example\/snippet\.js"/)
  } finally {
    await running.stop()
  }
})

test('origins are added and taken away one by one', async () => {
  const origins = async (...flags: string[]) => (await json(['projects', 'set', 'hotel', ...flags])).origins
  const [first, second] = ['https://one.example', 'https://two.example']
  assert.equal(await origins('--add-origin', `${first},${second}`), [origin, first, second])
  assert.equal(await origins('--remove-origin', first, '--add-origin', second), [origin, second])
  const { code, stderr } = await runCli(home, ['projects', 'set', 'hotel', '--remove-origin', first])
  assert.is(code, 2)
  assert.ok(stderr.includes(`it has: ${origin}, ${second}`), stderr)
  assert.equal(await origins('--remove-origin', second), [origin])
})

test('origins that are added at the same time are all kept', async () => {
  const added = ['one', 'two', 'three', 'four'].map((name) => `https://${name}.example`)
  await Promise.all(added.map((one) => json(['projects', 'set', 'hotel', '--add-origin', one])))
  const { origins } = await json(['projects', 'set', 'hotel', ...added.flatMap((one) => ['--remove-origin', one])])
  assert.equal(origins, [origin])
})

test('a page is previewed: query derived, origin checked, reviews shown', async () => {
  const made = await json(['snippet', '--no-key', '--url', `${origin}/sauna`, '--url', `${origin}/tax`])
  assert.is(made.key, null)
  assert.match(made.tag, /data-key="svc_pk_live_YOUR_PUBLISHABLE_KEY"/)
  const [sauna, tax] = made.pages
  assert.is(sauna.query, 'A sauna with a view of the lake')
  assert.equal([sauna.derived, sauna.origin, sauna.origin_allowed, sauna.match], [true, origin, true, 'query'])
  assert.match(sauna.results[0].excerpt, /sauna/i)
  assert.equal([tax.match, tax.results], ['none', []])
})

test('with a publishable key the preview is held to the page’s origin, as a browser is', async () => {
  const { key } = await json(['keys', 'create', '--kind', 'publishable', '--env', 'live'])
  const allowed = await json(['snippet', '--key', key, '--url', `${origin}/sauna`])
  assert.equal(allowed.key, { key, created: false })
  assert.is(allowed.pages[0].origin_allowed, true)
  assert.ok(allowed.pages[0].results.length > 0)
  await json(['projects', 'set', 'hotel', '--origin', 'https://elsewhere.example'])
  const refused = await json(['snippet', '--key', key, '--url', `${origin}/sauna`], 1)
  assert.is(refused.pages[0].origin_allowed, false)
  assert.equal(refused.pages[0].results, [])
})

test('people read the same: what is wrong, the command that mends it, and the tag alone on stdout', async () => {
  const { code, stdout, stderr } = await runCli(home, ['snippet', '--no-key', '--pin', '--url', `${origin}/sauna`])
  assert.is(code, 1)
  assert.match(
    stdout,
    /^<pullquote-reviews [^\n]+<\/pullquote-reviews>\n<script async src="[^"]+\/snippet\.\w{16}\.js" integrity="sha384-[^"]+" crossorigin="anonymous" onerror="[^"]+"><\/script>\n$/,
  )
  assert.match(stderr, /derived query: A sauna with a view of the lake/)
  assert.match(stderr, /is not allowed/)
  assert.ok(stderr.includes(`pullquote projects set hotel --add-origin ${origin}`), stderr)
  assert.match(stderr, /only this machine can reach/)
})

test('where nothing fits the heading the description is asked for as well, as the snippet does', async () => {
  // Not an allowed origin any more, so the code is 1.
  const [wellness] = (await json(['snippet', '--no-key', '--url', `${origin}/wellness`], 1)).pages
  assert.equal([wellness.query, wellness.match], ['A sauna with a view of the lake. – Wellness', 'query'])
  const { stderr } = await runCli(home, ['snippet', '--no-key', '--url', `${origin}/wellness`])
  assert.match(stderr, /derived query: Wellness\nNothing fits, .*:\nderived query: A sauna with a view/)
})

test('a page that cannot be read is told, and leaves the tag and the other pages', async () => {
  const made = await json(['snippet', '--no-key', '--url', `${origin}/missing`, '--url', `${origin}/sauna`], 1)
  assert.match(made.pages[0].problem, /status 404/)
  assert.is(made.pages[1].match, 'query')
})

test('--query is asked instead of the page’s own, and stands in the tag', async () => {
  const made = await json([
    'snippet',
    '--no-key',
    '--query',
    'breakfast & "bread"',
    '--source',
    'google',
    '--meta',
    'page=breakfast',
  ])
  assert.ok(made.tag.includes('data-query="breakfast &amp; &quot;bread&quot;"'))
  assert.ok(made.tag.includes('data-source="google" data-meta-page="breakfast"'))
  assert.is(made.pages[0].query, 'breakfast & "bread"')
  for (const { review } of made.pages[0].results) assert.is(review.metadata.page, 'breakfast')
})

test('a day or a language that the page could not use is refused before it is in a tag', async () => {
  const made = await json(['snippet', '--no-key', '--since', '2026-01-31', '--lang', 'de_AT'])
  assert.ok(made.tag.includes('data-since="2026-01-31"') && made.tag.includes('data-lang="de-AT"'))
  for (const [flag, wrong] of [
    ['--since', 'last week'],
    ['--since', '2026-02-30'],
    ['--lang', 'German language'],
    ['--lang', '-1'],
  ] as const) {
    const { code, stderr } = await runCli(home, ['snippet', '--no-key', flag, wrong])
    assert.is(code, 2, wrong)
    assert.match(stderr, new RegExp(`Error: ${flag} must be `))
  }
})

test('--reserve keeps another height, and nothing that could end the style', async () => {
  const made = await json(['snippet', '--no-key', '--reserve', '420'])
  assert.ok(made.tag.includes('style="display: block; min-height: 420px"') && made.tag.includes('data-reserve="420"'))
  const css = await json(['snippet', '--no-key', '--reserve', 'clamp(10rem, 40vw, 30rem)'])
  assert.ok(css.tag.includes('min-height: clamp(10rem, 40vw, 30rem)'))
  for (const wrong of ['1px; position: fixed', 'x', '12 px', 'high']) {
    const { code, stderr } = await runCli(home, ['snippet', '--no-key', '--reserve', wrong])
    assert.is(code, 2, wrong)
    assert.match(stderr, /is not a length/)
  }
})

test('a server that does not answer is named', async () => {
  const { code, stdout, stderr } = await runCli(home, ['snippet', '--no-key', '--server', 'http://127.0.0.1:9'])
  assert.equal([code, stdout], [1, ''])
  assert.match(stderr, /no answer from http:\/\/127\.0\.0\.1:9/)
})

test('a metadata key that HTML cannot spell is refused with the way out', async () => {
  const { code, stderr } = await runCli(home, ['snippet', '--no-key', '--meta', 'Room Type=lake'])
  assert.is(code, 2)
  assert.match(stderr, /"Room Type" cannot be an attribute/)
})

test.run()
