import * as assert from 'uvu/assert'
import { decodeHtml, HtmlEvidence, htmlTraces } from '../../../src/importer/fields/html.ts'
import { suite } from '../../suite.ts'

const test = suite('HTML in texts')

const STRONG = 'Tom&#39;s tea'
const WEAK = 'fish &amp; chips'
const BARE = 'fish & chips'
const BREAK = 'one<br>two'
const PARAGRAPH = '<p>One.</p>'

/** Of a file of these texts and as many plain ones as make it so long. */
function isEncoded(texts: string[], length = texts.length): boolean {
  const evidence = new HtmlEvidence()
  for (const text of texts) evidence.add(htmlTraces(text))
  for (let i = texts.length; i < length; i++) evidence.add(htmlTraces('Nice.'))
  return evidence.isEncoded
}

test('what a text shows of it', () => {
  const none = { strong: false, weak: false, lineBreak: false, paragraphs: false, formatted: false, bare: false }
  assert.equal(htmlTraces(STRONG), { ...none, strong: true })
  assert.equal(htmlTraces('caf&eacute;'), { ...none, strong: true })
  assert.equal(htmlTraces(WEAK), { ...none, weak: true })
  assert.equal(htmlTraces(`${WEAK} & more`), { ...none, weak: true, bare: true })
  assert.equal(htmlTraces('&nonsense;&'), { ...none, bare: true })
  assert.equal(htmlTraces(BREAK), { ...none, lineBreak: true })
  assert.equal(htmlTraces(PARAGRAPH), { ...none, paragraphs: true })
  assert.equal(htmlTraces('so <em class="x">good</em>'), { ...none, formatted: true })
  for (const text of ['Nice.', 'a < b', 'I wrote </b>', `He said ${PARAGRAPH}`])
    assert.is(htmlTraces(text), undefined, text)
})

test('a file is encoded by what several texts show, or one of a few where nothing speaks against it', () => {
  for (const [text, few] of [
    [PARAGRAPH, true],
    [STRONG, true],
    [WEAK, false],
    [BREAK, false],
  ] as const) {
    assert.is(isEncoded([text], 50), few, text)
    assert.is(isEncoded([text], 51), false, text)
    assert.is(isEncoded([text, text], 51), true, text)
    assert.is(isEncoded([text, text, BARE]), text !== WEAK, `${text}, ${BARE}`)
  }
  assert.is(isEncoded([STRONG, BARE]), false)
  assert.is(isEncoded([PARAGRAPH, BARE]), true)
})

test('codes become their characters, once, but for those that no text may hold', () => {
  for (const [text, decoded] of [
    ['Tom&#39;s &#x26; Ana&rsquo;s caf&eacute; &lt;3 &amp;amp;', "Tom's & Ana’s café <3 &amp;"],
    ['&nonsense; & &#; &#x;', '&nonsense; & &#; &#x;'],
    ['a&#9;b&#10;c&#13;d&#32;e&#126;f&#160;g', 'a\tb\nc\rd e~f\u00a0g'],
    ['a&#0;&#7;&#31;&#127;&#128;&#159;b', 'a&#0;&#7;&#31;&#127;&#128;&#159;b'],
    ['&#xD7FF;&#xD800;&#xDFFF;&#xE000;', '\ud7ff&#xD800;&#xDFFF;\ue000'],
    ['&#1114111;&#1114112;&#x110000;', '\u{10ffff}&#1114112;&#x110000;'],
    ['one<br>two<BR/>three<br />\r\nfour<br>\nfive', 'one\ntwo\nthree\nfour\nfive'],
    ['I wrote <b>bold</b> and <i>left</i>', 'I wrote bold and left'],
    ['I wrote &lt;b&gt;bold&lt;/b&gt; and <x>left</x>', 'I wrote <b>bold</b> and <x>left</x>'],
  ] as const)
    assert.is(decodeHtml(text), decoded)
})

test('codes that nobody types, encoded twice, become the sign they stand for, and show that a file is encoded', () => {
  assert.is(decodeHtml('It&amp;#39;s 1&amp;#x2B;1 &amp;quot;free&amp;quot;'), 'It\'s 1+1 "free"')
  assert.is(decodeHtml('write &amp;lt; for &lt;'), 'write &lt; for <', 'somebody may type it')
  assert.is(decodeHtml('&amp;#39'), '&#39')
  assert.is(htmlTraces('It&amp;#39;s warm')?.strong, true)
  assert.is(htmlTraces('write &amp;lt; for it')?.strong, false)
})

test('of a text that is paragraphs as a whole the formatting goes, and one empty line stands between two', () => {
  assert.is(
    decodeHtml(
      ' <p class="x">One<br>  two &amp; more</p>\n  \n \t\n<div>Three <b>bold</b></div><ul><li>a</li><li>b</li></ul> ',
    ),
    'One\n  two & more\n\nThree bold\n\na\nb',
  )
})

test.run()
