import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { prepare } from '../prepared.ts'

const test = suite('preparing texts with codes of HTML')

test('codes of HTML are read where the file shows that it is encoded, under the same ids', async () => {
  const csv =
    'date,text,author\n2026-01-05,It&#39;s &quot;warm&quot; &amp; good<br />Twice.,Jo O&#39;Hara\n2026-01-06,D&eacute;j&agrave; vu &amp;lt;3,B\n'
  const prepared = await prepare(csv)
  assert.equal(
    prepared.rows.map(({ review }) => [review.text, review.author_name]),
    [
      ['It\'s "warm" & good\nTwice.', "Jo O'Hara"],
      ['Déjà vu &lt;3', 'B'],
    ],
  )
  assert.match(prepared.warnings[0]?.message ?? '', /2 rows have HTML codes/)
  const raw = await prepare(csv, { decode_html: false })
  assert.equal(raw.warnings, [])
  assert.equal(
    raw.rows.map((row) => row.review.external_id),
    prepared.rows.map((row) => row.review.external_id),
  )
})

test('a review that speaks of HTML stays as it was written, with a note', async () => {
  const others = Array.from({ length: 60 }, (_, index) => `2026-01-05,Text ${index}.\n`).join('')
  for (const text of [
    'Shows &amp; once',
    'A page of &nbsp; and more',
    'Use <br> for breaks',
    'Fish & chips &amp; peas',
  ]) {
    const prepared = await prepare(`date,text\n${others}2026-01-05,${text}\n`)
    assert.is(prepared.rows.at(-1)?.review.text, text)
    assert.match(prepared.warnings[0]?.message ?? '', /--decode-html/, text)
  }
  const two = await prepare('date,text\n2026-01-05,Fish & chips.\n2026-01-05,A &amp; B.\n2026-01-05,C &amp; D.\n')
  assert.is(two.rows[1]?.review.text, 'A &amp; B.')
  const plain = await prepare(`date,text\n${others}2026-01-05,AT&T; R&D; 3 < 5\n`)
  assert.equal(plain.warnings, [])
})

test('formatted words in a text are noted, and are plain where texts are HTML', async () => {
  const csv = 'date,text\n2026-01-05,A <b>warm</b> <a href="https://example.com">room</a>.\n2026-01-06,Quiet.\n'
  const left = await prepare(csv)
  assert.is(left.rows[0]?.review.text, 'A <b>warm</b> <a href="https://example.com">room</a>.')
  assert.match(left.warnings[0]?.message ?? '', /--decode-html/)
  const decoded = await prepare(csv, { decode_html: true })
  assert.is(decoded.rows[0]?.review.text, 'A warm room.')
  assert.equal((await prepare('date,text\n2026-01-05,Use <b> for bold and </i> for nothing.\n')).warnings, [])
})

test('WordPress keeps comments as HTML, so one code in one of them is enough', async () => {
  const others = Array.from({ length: 60 }, (_, at) => `${at + 2},Bo,2026-01-05 10:00:00,Text ${at} of R&D.,1\n`).join(
    '',
  )
  const { rows } = await prepare(
    `comment_ID,comment_author,comment_date_gmt,comment_content,comment_approved\n1,Ann &amp; Bo,2026-01-05 10:00:00,Tea &amp; <em>cake</em>.,1\n${others}`,
  )
  assert.equal([rows[0]?.review.author_name, rows[0]?.review.text], ['Ann & Bo', 'Tea & cake.'])
  assert.is(rows[1]?.review.text, 'Text 0 of R&D.')
})

test('a text that is paragraphs of HTML from end to end loses its formatting; tags within a text stay', async () => {
  const texts = async (...written: string[]) => {
    const json = JSON.stringify(written.map((text) => ({ date: '2026-01-05', text })))
    return (await prepare(json)).rows.map((row) => row.review.text)
  }
  assert.equal(
    await texts('<p>Warm bread &amp; <strong>butter</strong>.</p>\n<p class="x">Again<br />soon &lt;3</p>\n'),
    ['Warm bread & butter.\n\nAgain\nsoon <3'],
  )
  assert.equal(await texts('<div><ul><li>Warm</li><li>Cheap</li></ul></div>'), ['Warm\nCheap'])
  assert.equal(await texts('Their <b>bold</b> claim', 'The <p> tag and </p> are on it'), [
    'Their <b>bold</b> claim',
    'The <p> tag and </p> are on it',
  ])
})

test('a text of nothing but coded blanks is none, and codes of what no text may hold stay', async () => {
  const prepared = await prepare('date,text\n2026-01-05,&nbsp;\n2026-01-05,&#39;a&#0;&#xD800;&#x1F35E;&#39;\n', {
    decode_html: true,
  })
  assert.equal(
    prepared.rows.map((row) => row.review.text),
    ["'a&#0;&#xD800;🍞'"],
  )
  assert.is(prepared.skipped[0]?.reason, 'no_text')
})

test('a text that is HTML from a heading or a list on loses its formatting, too', async () => {
  const csv =
    'date,text\n2026-01-05,<h2>Warm bread</h2><p>And good soup.</p>\n2026-01-06,<ul><li>Soup</li><li>Tea</li></ul>\n'
  const { rows } = await prepare(csv)
  assert.equal(
    rows.map(({ review }) => review.text),
    ['Warm bread\n\nAnd good soup.', 'Soup\nTea'],
  )
})

test.run()
