import pc from 'picocolors'
import * as assert from 'uvu/assert'
import { deriveQuery } from '../../../snippet/derive-query.ts'
import { tagHtml } from '../../../snippet/tag-html.ts'
import { fetchPage } from '../../../src/cli/snippet/page.ts'
import { previewLines } from '../../../src/cli/snippet/preview.ts'
import { fetchSnippetFile } from '../../../src/cli/snippet/tag.ts'
import { readPage } from '../../../src/web-page/page-text.ts'
import { exampleProject } from '../../client/example-answers.ts'
import { suite } from '../../suite.ts'

const test = suite('pages and tags of the snippet command')
const read = (html: string) => readPage(html, 'https://shop.example/rooms/a')

test('heading, title, description and site name are read as a browser reads them', async () => {
  const page = await read(`<!doctype html><html><head>
    <!-- <title>No</title> --><script>const x = '<h1>No</h1>'</script><style>h1::before { content: '<h1>No</h1>' }</style>
    <title>Lake &amp; Rooms | H&ocirc;tel</title><META NAME="description" CONTENT="Quiet &quot;rooms&quot;.">
    <meta property="og:site_name" content="Hôtel"><meta name="description" content="No"></head>
    <body><svg><title>No</title></svg><H1 class=a>The<br/><em>la<b>ke</b></em>
      view</h1><h1>No</h1><title>No</title></body></html>`)
  assert.equal(
    page.h1.map((each) => each.replace(/\s+/g, ' ')),
    ['The lake view', 'No'],
  )
  assert.is(page.title, 'Lake & Rooms | Hôtel')
  assert.equal(page.description, ['Quiet "rooms".', 'No'])
  assert.equal(page.site, ['Hôtel'])
})

test('a page without any of them, or that is broken, gives empty texts', async () => {
  for (const html of [
    '',
    '<p>Hello',
    '<meta name="description">',
    '<<<>>><![CDATA[',
    '\u0000<h1',
    '<a href="http://[">x</a>',
  ]) {
    assert.is(deriveQuery(await read(html), ''), '', html)
  }
})

test('links to the front page name the site, wherever their address is written from', async () => {
  const names = async (html: string) => (await read(html)).site
  assert.equal(await names('<a href="/">Home</a><a href="/rooms">Rooms</a><a href="https://shop.example">Shop</a>'), [
    'Home',
    'Shop',
  ])
  assert.equal(await names('<a href="../">Up</a><a href="./">Here</a><a href="?a=1">A</a><a>None</a>'), ['Up'])
  assert.equal(
    await names('<base href="/"><a href="">To<b>p</b></a><a href="index.html">Start</a><a href="en/">Home</a>'),
    ['Top', 'Start', 'Home'],
  )
  assert.equal(
    await names(
      '<a href="/en-gb/">Home</a><a href="/de_AT/">Österreich</a><a href="/us/en/">US</a><a href="/spa/">Spa</a>',
    ),
    ['Home', 'Österreich', 'US'],
  )
  assert.equal(
    await names('<a href="/"><img src="l.svg" alt="Lantern Bakery"> To the <b>start</b></a><img alt="Bread">'),
    ['Lantern Bakery', ' To the start'],
  )
  assert.equal(
    await names('<a href="/?p=12">Rooms</a><a href="/#rooms">Rooms</a><a href="/index.php?route=x">X</a>'),
    [],
  )
  assert.equal(await names('<a href="https://www.other.example/">Other</a><a href="mailto:a@b.example">Mail</a>'), [])
})

test('a page of headings and links alone is read in linear time', async () => {
  const start = performance.now()
  for (const html of [
    '<h1>a</h1>'.repeat(100_000),
    '<a href="/">a</a><h1>b'.repeat(60_000),
    `<title>${'b '.repeat(200_000)}</title>${'<h1>c</h1>'.repeat(100_000)}`,
  ])
    deriveQuery(await read(html), '')
  assert.ok(performance.now() - start < 6000)
})

test('while a large page is read, others get their turn', async () => {
  let turns = 0
  const others = setInterval(() => turns++, 0)
  for (const part of ['<a href="/">', 'x', '<h1><p>', '&amp;']) {
    turns = 0
    await read(`<title>Lake</title><a href="${part.repeat(2 ** 20 / part.length)}`)
    await read(part.repeat(2 ** 20 / part.length))
    assert.ok(turns >= 16, `${part}: ${turns}`)
  }
  clearInterval(others)
})

test('elements nested without end are read no further than a browser nests them', async () => {
  const page = '<title>Lake</title><h1>Rooms</h1>'
  for (const tag of ['<svg>', '<template>', '<b>']) {
    const from = process.cpuUsage()
    assert.equal((await read(page + tag.repeat(200_000))).h1, ['Rooms'], tag)
    const { user, system } = process.cpuUsage(from)
    assert.ok(user + system < 2_000_000, `${tag} took ${(user + system) / 1e6} s`)
  }
  assert.equal((await read(`${'<div>'.repeat(500)}${page}`)).h1, ['Rooms'])
})

test('breaks and blocks in a heading part its words, as far as a document alone says so', async () => {
  const heading = async (html: string) =>
    (await read(`<h1>${html}</h1><p>No</p>`)).h1.join().replace(/\s+/g, ' ').trim()
  assert.is(await heading('Eat<br>by<BR/>the lake'), 'Eat by the lake')
  assert.is(await heading('<div>Fresh</div><div>coffee</div>'), 'Fresh coffee')
  assert.is(await heading('Eat<p>by the <i>la</i>ke'), 'Eat by the lake')
  assert.is(await heading('<span style="color: red; display: block">Eat</span>here'), 'Eat here')
  assert.is(
    await heading('<span style="display:inline-block">T</span>arn<small style="display: flex">holm</small>'),
    'Tarn holm',
  )
  // A style sheet may have it on a line of its own, which cannot be known.
  assert.is(await heading('<span class="line">Eat</span><span class="line">here</span>'), 'Eathere')
})

test('what a browser does not show of a page is not read', async () => {
  const page = await read(
    '<template><h1>No</h1></template><noscript><h1>No</h1></noscript><h1><img alt="No"></h1><h1>Ye<template>no</template>s</h1>',
  )
  assert.equal(page.h1, ['', 'Yes'])
})

test('without a word of the response the page itself says its charset, or its bytes do', async () => {
  const read = async (html: string, type = 'text/html') => {
    const bytes = Uint8Array.from(html, (letter) => letter.charCodeAt(0))
    return (await fetchPage('https://shop.example/a', { fetch: answering(200, type, bytes), signal })).h1[0]
  }
  assert.is(await read('<meta charset="iso-8859-1"><h1>Caf\xe9 \x93Tarn\x94</h1>'), 'Café “Tarn”')
  assert.is(
    await read('<meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><h1>\xca\xe0\xf4\xe5</h1>'),
    'Кафе',
  )
  assert.is(await read('\xef\xbb\xbf<meta charset=latin1><h1>Caf\xc3\xa9</h1>', 'text/html; charset=latin1'), 'Café')
  assert.is(await read('<h1>Caf\xc3\xa9</h1>'), 'Café')
  assert.is(await read('<h1>Caf\xe9</h1>'), 'Café')
  assert.is(await read('<meta charset="utf-8"><h1>Caf\xe9</h1>', 'text/html; charset=iso-8859-1'), 'Café')
})

const answering = (status: number, type: string, body: string | Uint8Array) => async () =>
  new Response(new Blob([body]), { status, headers: { 'content-type': type } })
const { signal } = new AbortController()

test('the charset of the response decides how the page is read', async () => {
  const bytes = new Uint8Array([...new TextEncoder().encode('<h1>Caf'), 0xe9, ...new TextEncoder().encode('</h1>')])
  const latin = await fetchPage('https://shop.example/a', {
    fetch: answering(200, 'text/html; charset=iso-8859-1', bytes),
    signal,
  })
  assert.equal(latin.h1, ['Café'])
  assert.is(latin.origin, 'https://shop.example')
})

test('what is no page is told with its reason', async () => {
  const reason = async (fetch: typeof globalThis.fetch, address = 'https://shop.example/a') => {
    try {
      await fetchPage(address, { fetch, signal })
      return 'read'
    } catch (error) {
      return error instanceof Error ? error.message : ''
    }
  }
  assert.match(await reason(answering(404, 'text/html', '')), /status 404/)
  assert.match(await reason(answering(200, 'application/pdf', '')), /not an HTML page but application\/pdf/)
  const refused = async () => {
    throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:9') })
  }
  assert.match(await reason(refused), /ECONNREFUSED/)
  assert.match(await reason(refused, 'www.shop.example'), /is not the address of a page/)
  assert.match(await reason(refused, 'file:///etc/passwd'), /is not the address of a page/)
})

test('a tag holds its attributes in order, any text escaped, and the element names the server', () => {
  const tag = tagHtml(
    [
      ['data-key', 'svc_pk_live_x'],
      ['data-query', 'rooms & "beds" <script>'],
      ['data-limit', undefined],
      ['data-lazy', true],
    ],
    'https://reviews.example/under/snippet.js',
    [['data-no-optimize', '1']],
  )
  assert.is(
    tag,
    `<pullquote-reviews data-key="svc_pk_live_x" data-query="rooms &amp; &quot;beds&quot; &lt;script>" data-lazy data-host="https://reviews.example/under/"></pullquote-reviews>\n<script async src="https://reviews.example/under/snippet.js" data-no-optimize="1" onerror="for(let e of document.querySelectorAll('pullquote-reviews'))e.style.minHeight=0"></script>`,
  )
})

test('the integrity is that of the file the server sends, under the name that it gives', async () => {
  const headers = { 'content-location': 'snippet.0123456789abcdef.js' }
  const file = await fetchSnippetFile(async () => new Response('alert(1)', { headers }), 'https://reviews.example')
  assert.is(file.hashedName, 'snippet.0123456789abcdef.js')
  // printf 'alert(1)' | openssl dgst -sha384 -binary | base64
  assert.is(file.integrity, 'sha384-HT2E9NfWiuQ/w1PRai+hTyqW16NIoCGA/m8VQDUopfAtcz6YQjtsMmQd5uRbVDpW')
  try {
    await fetchSnippetFile(async () => new Response('', { status: 404 }), 'https://reviews.example')
    assert.unreachable()
  } catch (error) {
    assert.match(String(error), /there is no snippet at https:\/\/reviews\.example\/snippet\.js \(status 404\)/)
  }
})

test('a preview fits the window, but for the command to copy', () => {
  const terminal = { interactive: true, columns: 60, style: pc.createColors(false) }
  const about = { page: 'https://a.example/', query: 'rooms with a view of the lake '.repeat(5), derived: true }
  const refused = { ...about, origin: 'https://www.a.example', originAllowed: false }
  const lines = previewLines(refused, exampleProject(), terminal).split('\n')
  assert.equal(
    lines.filter((line) => line.length > 60),
    ['  Try: pullquote projects set hotel --add-origin https://www.a.example'],
  )
})

test.run()
