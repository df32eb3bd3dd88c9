import * as assert from 'uvu/assert'
import { formattedText } from '../../../../src/importer/read/json/formatted-text.ts'
import { suite } from '../../../suite.ts'
import { prepare, reviewsOf } from '../../prepared.ts'

const test = suite('texts that an editor stored with their formatting')

const LINES = 'Warm bread,\nand the tea too.\n\nRye\nSpelt'

const strapi = [
  {
    type: 'paragraph',
    children: [
      { type: 'text', text: 'Warm ' },
      { type: 'link', url: 'https://inn.example', children: [{ type: 'text', text: 'bread', bold: true }] },
      { type: 'text', text: ',\nand the tea too.' },
    ],
  },
  { type: 'image', image: { url: 'https://inn.example/a.png' }, children: [{ type: 'text', text: '' }] },
  {
    type: 'list',
    format: 'unordered',
    children: ['Rye', 'Spelt'].map((text) => ({ type: 'list-item', children: [{ type: 'text', text }] })),
  },
]

const lexicalText = (text: string) => {
  return { detail: 0, format: 1, mode: 'normal', style: '', text, type: 'text', version: 1 }
}
const lexicalItem = (text: string) => {
  return {
    children: [lexicalText(text)],
    direction: 'ltr',
    format: '',
    indent: 0,
    type: 'listitem',
    value: 1,
    version: 1,
  }
}

const proseItem = (text: string) => {
  return { type: 'listItem', content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] }
}

const contentfulText = (value: string) => ({ nodeType: 'text', value, marks: [{ type: 'bold' }], data: {} })
const contentfulItem = (value: string) => {
  const content = [{ nodeType: 'paragraph', data: {}, content: [contentfulText(value)] }]
  return { nodeType: 'list-item', data: {}, content }
}

const written: [string, unknown, string?][] = [
  ["Strapi's blocks", strapi],
  [
    'Lexical, as Payload stores it',
    {
      root: {
        type: 'root',
        format: '',
        indent: 0,
        version: 1,
        children: [
          {
            type: 'paragraph',
            direction: 'ltr',
            children: [lexicalText('Warm bread,'), { type: 'linebreak', version: 1 }, lexicalText('and the tea too.')],
          },
          { type: 'upload', relationTo: 'media', value: { id: 'm1' } },
          { type: 'list', listType: 'bullet', tag: 'ul', children: [lexicalItem('Rye'), lexicalItem('Spelt')] },
        ],
      },
    },
  ],
  [
    'ProseMirror and TipTap',
    {
      type: 'doc',
      content: [
        {
          type: 'paragraph',
          attrs: { textAlign: null },
          content: [
            { type: 'text', text: 'Warm ' },
            { type: 'text', marks: [{ type: 'link', attrs: { href: 'https://inn.example' } }], text: 'bread,' },
            { type: 'hardBreak' },
            { type: 'text', text: 'and the tea too.' },
          ],
        },
        { type: 'paragraph' },
        { type: 'bulletList', content: [proseItem('Rye'), proseItem('Spelt')] },
      ],
    },
  ],
  [
    'Contentful',
    {
      nodeType: 'document',
      data: {},
      content: [
        {
          nodeType: 'paragraph',
          data: {},
          content: [
            contentfulText('Warm '),
            { nodeType: 'hyperlink', data: { uri: 'https://inn.example' }, content: [contentfulText('bread')] },
            contentfulText(',\nand the tea too.'),
          ],
        },
        { nodeType: 'embedded-asset-block', data: { target: { sys: { id: 'a1' } } }, content: [] },
        { nodeType: 'unordered-list', data: {}, content: [contentfulItem('Rye'), contentfulItem('Spelt')] },
      ],
    },
  ],
  [
    'Portable Text, as Sanity stores it',
    ['Warm bread,\nand the tea too.', 'Rye', 'Spelt'].map((text, at) => {
      const children = [{ _type: 'span', _key: `s${at}`, marks: ['strong'], text }]
      return { _type: 'block', _key: `b${at}`, style: 'normal', listItem: 'bullet', markDefs: [], children }
    }),
    LINES.replace('Rye\nSpelt', 'Rye\n\nSpelt'),
  ],
  [
    'Slate',
    [{ children: [{ text: 'Warm bread,\n' }, { text: 'and the tea too.', italic: true }] }],
    LINES.slice(0, 28),
  ],
  [
    'Quill',
    {
      ops: [
        { insert: 'Warm bread,\n', attributes: { bold: true } },
        { insert: { image: 'a.png' } },
        { insert: 'and the tea too.\n' },
      ],
    },
    LINES.slice(0, 28),
  ],
  [
    'Notion',
    ['Warm bread,\n', 'and the tea too.'].map((content) => {
      return {
        type: 'text',
        text: { content, link: null },
        annotations: { bold: true },
        plain_text: content,
        href: null,
      }
    }),
    LINES.slice(0, 28),
  ],
  [
    'Editor.js',
    {
      time: 1767607872000,
      version: '2.31.0',
      blocks: [
        { id: 'b1', type: 'paragraph', data: { text: 'Warm <b>bread</b>,<br>and the tea&nbsp;too.' } },
        { id: 'b2', type: 'image', data: { file: { url: 'https://inn.example/a.png' } } },
        { id: 'b3', type: 'list', data: { style: 'unordered', items: ['Rye', { content: 'Spelt', items: [] }] } },
      ],
    },
    LINES.replace('tea too', 'tea\u00a0too'),
  ],
  [
    'Draft.js',
    {
      entityMap: {},
      blocks: ['Warm bread,\nand the tea too.', 'Rye\nSpelt'].map((text, at) => {
        return { key: `k${at}`, text, type: 'unstyled', depth: 0, inlineStyleRanges: [], entityRanges: [], data: {} }
      }),
    },
  ],
]

for (const [editor, value, text = LINES] of written)
  test(`${editor}: the words are read, its paragraphs and items on lines of their own`, () => {
    assert.is(formattedText(value), text)
  })

test('a paragraph of nothing but links is one line', () => {
  const link = (text: string) => ({ type: 'link', url: 'https://inn.example', children: [{ text }] })
  assert.is(formattedText([{ children: [link('Warm '), link('bread.')] }]), 'Warm bread.')
})

test('records that have a text are no formatted text, nor are pictures alone, lists of numbers or a tree without end', () => {
  const answer = { id: 'a1', author: 'Shop', text: 'Thank you.' }
  let deep: object = { text: 'Warm bread.' }
  for (let level = 0; level < 60; level++) deep = { type: 'quote', children: [deep] }
  for (const value of [
    [{ id: 'c1', author: 'Ann', text: 'Warm bread.', children: [answer] }],
    [{ id: 'c1', children: [answer] }],
    [{ text: 'Warm bread.', children: [{ text: 'Thank you.' }] }],
    [{ question: 'How was it?', content: [{ text: 'Warm.' }] }],
    [{ type: 'note', text: 'Warm bread.' }],
    [{ type: 'image', url: 'https://inn.example/a.png' }],
    [{ insert: 1 }],
    [[1, 2]],
    [],
    {},
    { ops: 3 },
    { blocks: [{ text: 'Warm bread.', rating: 5 }] },
    [deep],
  ])
    assert.is(formattedText(value), undefined, JSON.stringify(value).slice(0, 80))
})

const review = (text: unknown, at = 5) => ({ id: `r${at}`, author: 'Ann', rating: 5, date: `2026-01-0${at}`, text })

test('such a text is read in JSON, and the report says so', async () => {
  const { rows, warnings } = await prepare(JSON.stringify([review(strapi), review('Good rye.', 6)]))
  assert.equal(
    rows.map(({ review: { text } }) => text),
    [LINES, 'Good rye.'],
  )
  assert.ok(warnings.some(({ message }) => message.includes('"text" has texts with their formatting')))
})

test('and in cells of a table', async () => {
  const cell = JSON.stringify(strapi).replaceAll('"', '""')
  const reviews = await reviewsOf(`id,date,author,text\nr1,2026-01-05,Ann,"${cell}"\nr2,2026-01-06,Ben,"${cell}"\n`)
  assert.equal(
    reviews.map(({ text }) => text),
    [LINES, LINES],
  )
})

test('its parts are not taken for a list of reviews, whatever the field is called', async () => {
  for (const name of ['feedback', 'testimonials', 'reviews']) {
    const one = { id: 'r1', author: 'Ann', date: '2026-01-05', [name]: strapi }
    const { rows } = await prepare(JSON.stringify([one, { ...one, id: 'r2' }]), { map: { text: name } })
    assert.equal(
      rows.map(({ review: { external_id: id } }) => id),
      ['r1', 'r2'],
    )
  }
  const [alone] = await reviewsOf(JSON.stringify({ data: { id: 'r1', date: '2026-01-05', text: strapi } }))
  assert.is(alone?.text, LINES)
})

test.run()
