import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import { bodyBudgets } from '../../../server/http/byte-budget.ts'
import { createRequestContext } from '../../../server/http/request-context.ts'
import { handleRequest } from '../../../server/http/request-pipeline.ts'
import { respond } from '../../../server/http/respond.ts'
import { snippetRoutes } from '../../../server/routes/service/snippet.ts'
import { readBundles } from '../../../server/snippet/bundles.ts'
import { silent } from '../../database.ts'
import { suite } from '../../suite.ts'

const test = suite('the snippet’s file over HTTP')
const folder = mkdtempSync(join(tmpdir(), 'pullquote-bundles-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

const CODE = `// snippet\n${'console.log(1);'.repeat(100)}`
const EARLIER = '// an earlier release'
const hashOf = (code: string) => createHash('sha256').update(code).digest('hex').slice(0, 16)

writeFileSync(join(folder, 'snippet.js'), CODE)
mkdirSync(join(folder, 'released'))
writeFileSync(join(folder, 'released', 'whatever.js'), EARLIER)
writeFileSync(join(folder, 'released', 'same.js'), CODE)

const bundles = readBundles([join(folder, 'nowhere'), folder])
const routes = snippetRoutes(bundles)

async function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  const request = new Request(`http://service.test${path}`, { headers })
  const route = routes.find((each) => each.path === path.split('?')[0])
  if (!route) throw new Error(`no route ${path}`)
  const context = createRequestContext(request)
  const deps = {
    log: silent,
    docsUrl: 'http://service.test/docs',
    operatorToken: 'x',
    sql: undefined as never,
    bodies: bodyBudgets(),
  }
  return respond(context, deps, () => handleRequest(route, context, {}, deps))
}

test('the plain name has a short cache and tells the name with the hash', async () => {
  const response = await get('/snippet.js')
  assert.is(response.status, 200)
  assert.is(response.headers.get('content-type'), 'text/javascript; charset=utf-8')
  assert.is(response.headers.get('cache-control'), 'public, max-age=300, stale-while-revalidate=86400')
  assert.is(response.headers.get('content-location'), `snippet.${hashOf(CODE)}.js`)
  assert.is(response.headers.get('x-content-type-options'), 'nosniff')
  assert.is(await response.text(), CODE)
})

test('the version that a content system puts behind the address changes nothing', async () => {
  for (const path of ['/snippet.js', `/snippet.${hashOf(CODE)}.js`]) {
    assert.is((await get(`${path}?ver=6.8&ver=2`)).status, 200, path)
  }
})

test('the name with the hash is cached for good, and its integrity is that of the content', async () => {
  const response = await get(`/snippet.${hashOf(CODE)}.js`)
  assert.is(response.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  const digest = createHash('sha384')
    .update(new Uint8Array(await response.arrayBuffer()))
    .digest('base64')
  assert.is(bundles?.current.integrity, `sha384-${digest}`)
})

test('files of earlier releases stay, each under its hash, and none twice', async () => {
  assert.is(await (await get(`/snippet.${hashOf(EARLIER)}.js`)).text(), EARLIER)
  assert.is(routes.length, 3)
})

test('every origin may load it, which integrity with crossorigin needs', async () => {
  for (const path of ['/snippet.js', `/snippet.${hashOf(CODE)}.js`]) {
    const { headers } = await get(path, { origin: 'https://www.shop.example' })
    assert.is(headers.get('access-control-allow-origin'), '*')
    assert.is(headers.get('cross-origin-resource-policy'), 'cross-origin')
  }
})

test('it is compressed as the client accepts', async () => {
  for (const [accept, encoding] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['GZIP;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.0, gzip;q=0', null],
    ['identity', null],
    ['', null],
  ] as const) {
    const response = await get('/snippet.js', { 'accept-encoding': accept })
    assert.is(response.headers.get('content-encoding'), encoding, accept)
    assert.is(response.headers.get('vary'), 'accept-encoding')
    const bytes = new Uint8Array(await response.arrayBuffer())
    const plain = encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes
    assert.is(Buffer.from(plain).toString(), CODE)
  }
})

test('a copy that is still the current one is not sent again', async () => {
  const etag = (await get('/snippet.js')).headers.get('etag') ?? ''
  for (const header of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const response = await get('/snippet.js', { 'if-none-match': header })
    assert.is(response.status, 304)
    assert.is(await response.text(), '')
    assert.is(response.headers.get('etag'), etag)
    assert.is(response.headers.get('access-control-allow-origin'), '*')
  }
  assert.is((await get('/snippet.js', { 'if-none-match': '"other"' })).status, 200)
})

test('a checkout without a build says what to do', async () => {
  assert.is(readBundles([join(folder, 'nowhere')]), undefined)
  const [route] = snippetRoutes(undefined)
  try {
    await route?.handle({} as never)
    assert.unreachable()
  } catch (error) {
    assert.match(String(error), /npm run build/)
  }
})

test.run()
