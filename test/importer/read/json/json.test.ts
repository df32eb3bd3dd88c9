import * as assert from 'uvu/assert'
import { ImporterError } from '../../../../src/importer/importer-error.ts'
import { suite } from '../../../suite.ts'
import { rowsOf, tableOf } from '../../opened.ts'
import { prepare } from '../../prepared.ts'

const test = suite('reading JSON')

async function refusal(content: string): Promise<ImporterError> {
  try {
    await rowsOf(await tableOf(content, 'x.json'))
  } catch (error) {
    if (error instanceof ImporterError) return error
  }
  throw new Error('was not refused')
}

test('an array of objects becomes rows; columns are those of all objects', async () => {
  const table = await tableOf('[{"a":1,"b":"x"},{"b":null,"c":true}]')
  assert.equal(table.headers, ['a', 'b', 'c'])
  assert.equal(await rowsOf(table), [
    { line: 1, cells: ['1', 'x'] },
    { line: 2, cells: ['', '', 'true'] },
  ])
})

test('an object with one list of objects, also deeper, gives the list', async () => {
  for (const text of ['{"n":2,"tags":["a"],"reviews":[{"a":"x"}]}', '{"data":{"reviews":[{"a":"x"}]}}'])
    assert.equal(
      (await rowsOf(await tableOf(text))).map((row) => row.cells),
      [['x']],
    )
  assert.equal(await rowsOf(await tableOf('{"reviews":[],"total":0}')), [])
})

test('of several lists the one called reviews counts; without one the file is refused by naming them', async () => {
  const table = await tableOf('{"photos":[{"p":1}],"reviews":[{"a":"x"}]}')
  assert.equal(table.headers, ['a'])
  const error = await refusal('{"photos":[{"p":1}],"items":[{"a":"x"}]}')
  assert.is(error.code, 'no_rows')
  assert.ok(error.message.includes('photos, items'))
})

test('tables by rows of cells or by columns are read, whichever program wrote them', async () => {
  const cells = [
    ['Ann', 'Fine'],
    ['Bob', 'Good'],
  ]
  const tables: Record<string, unknown> = {
    'pandas, split': { columns: ['name', 'text'], index: [0, 1], data: cells },
    'pandas, columns': { name: { 0: 'Ann', 1: 'Bob' }, text: { 0: 'Fine', 1: 'Good' } },
    'lists by their names': { name: ['Ann', 'Bob'], text: ['Fine', 'Good'] },
    'a list of lists': [['name', 'text'], ...cells],
    'a spreadsheet': { range: 'A1:B3', values: [['name', 'text'], ...cells] },
    'described columns': { meta: [{ name: 'name' }, { name: 'text' }], data: cells },
    'a schema': { schema: { fields: [{ name: 'name' }, { name: 'text' }] }, rows: cells },
    'an answer around it': { status: 'ok', data: { cols: [{ name: 'name' }, { name: 'text' }], rows: cells } },
    'objects beside their columns': {
      meta: [{ name: 'name' }],
      data: [
        { name: 'Ann', text: 'Fine' },
        { name: 'Bob', text: 'Good' },
      ],
    },
    'a dump': [
      { type: 'header' },
      { type: 'database' },
      {
        type: 'table',
        name: 'comments',
        data: [
          { name: 'Ann', text: 'Fine' },
          { name: 'Bob', text: 'Good' },
        ],
      },
    ],
  }
  for (const [kind, content] of Object.entries(tables)) {
    const table = await tableOf(JSON.stringify(content), 'x.json')
    assert.equal(table.headers, ['name', 'text'], kind)
    assert.equal(
      (await rowsOf(table)).map((row) => row.cells),
      cells,
      kind,
    )
  }
  const short = await tableOf('{"values":[["name","text"],["Ann"],["Bob","Good"]]}', 'x.json')
  assert.equal(
    (await rowsOf(short)).map((row) => row.cells),
    [['Ann'], ['Bob', 'Good']],
  )
})

test('a list of lists beside reviews, or wider than its names, is no table', async () => {
  const place = {
    hours: [
      ['Mon', '9 to 5'],
      ['Tue', '9 to 5'],
    ],
    answer: { reviews: [{ text: 'Fine' }] },
  }
  assert.equal((await tableOf(JSON.stringify(place), 'x.json')).headers, ['text'])
  assert.is((await refusal('[["name","text"],["Ann","Fine","2026"]]')).code, 'no_rows')
  const review = { text: 'Fine', pros: ['bed', 'bath'], cons: ['noise'] }
  assert.equal((await tableOf(JSON.stringify(review), 'x.json')).headers, ['text', 'pros', 'cons'])
})

test('nested objects become dotted headers, lists of values one cell, other lists JSON', async () => {
  const table = await tableOf('[{"a":{"b":{"c":"x"}},"l":["p","q",3],"o":[{"k":1}]}]')
  assert.equal(table.headers, ['a.b.c', 'l', 'o'])
  assert.equal((await rowsOf(table))[0]?.cells, ['x', 'p, q, 3', '[{"k":1}]'])
})

test('a name that stands twice in one object is told, since only its last value is read', async () => {
  const twice = '[{"a":"x"},{"b":{"c":"1","d":"a:b","c":"2"}}]'
  assert.equal((await tableOf(twice)).notes, [
    '"1.b.c" appears twice in one object, and others may too: only the last of each is read',
  ])
  const lines = await tableOf('{"a":"1"}\n{"a":"2","a":"3"}\n{"a":"4","a":"5"}\n')
  assert.equal(lines.notes, [
    'line 2: "a" appears twice in one object, and others may too: only the last of each is read',
  ])
  assert.equal((await rowsOf(lines))[1]?.cells, ['3'])
  for (const once of ['[{"a":"\\"b\\":1, \\"b\\":2"},{"a":"x"}]', '{"a":"{b:1}"}\n{"a":"x"}'])
    assert.equal((await tableOf(once)).notes, [])
})

test('GeoJSON features give their properties', async () => {
  const table = await tableOf(
    '{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"coordinates":[1,2]},"properties":{"a":"x"}}]}',
  )
  assert.is(table.fileType, 'geojson')
  assert.equal(table.headers, ['a'])
})

test('JSON lines: one object a line, blank lines left out, a broken line is a bad row with its number', async () => {
  const table = await tableOf('{"a":"1"}\n\n{"a":"2"}\r\n{"a":\n{"a":"3"}\n')
  assert.is(table.fileType, 'jsonl')
  const rows = await rowsOf(table)
  assert.equal(
    rows.map((row) => [row.line, row.fault?.reason ?? row.cells[0]]).sort(),
    [
      [1, '1'],
      [3, '2'],
      [4, 'bad_json'],
      [5, '3'],
    ].sort(),
  )
})

test('items that are no objects are bad rows', async () => {
  const rows = await rowsOf(await tableOf('[{"a":"x"},"text",7,null,[1]]'))
  assert.equal(
    rows.map((row) => row.fault?.reason),
    [undefined, 'not_an_object', 'not_an_object', 'not_an_object', 'not_an_object'],
  )
})

test('broken JSON is refused with the place', async () => {
  const error = await refusal('[\n  {"a": 1},\n  {"a": }\n]')
  assert.is(error.code, 'bad_json')
  assert.match(error.message, /line 3, column 9/)
})

test('a message never quotes half of an emoji', async () => {
  const { message } = await refusal('[{"text": 🍵}]')
  assert.match(message, 'line 1, column 11')
  assert.ok(message.isWellFormed(), message)
  const [, row] = await rowsOf(await tableOf('[{"text":"x"},"\\ud83c"]'))
  assert.ok(row?.fault?.message.isWellFormed(), row?.fault?.message)
})

test("Python's NaN and Infinity are empty values, in JSON and in JSON lines, and words in texts", async () => {
  const object = '{"a":NaN,"text":"NaN, \\"Infinity\\"","b":{"x":NaN},"c":-Infinity,"d":-1}'
  for (const content of [`[${object}]`, `{"reviews":[${object}]}`, `${object}\n${object}\n`]) {
    const table = await tableOf(content)
    assert.equal(table.headers, ['a', 'text', 'b.x', 'c', 'd'])
    assert.equal((await rowsOf(table))[0]?.cells, ['', 'NaN, "Infinity"', '', '', '-1'])
  }
  // What is wrong besides is still told.
  assert.match((await refusal(`[${object}, x]`)).message, /x\.json is not valid JSON at line 1, column/)
})

test('whole numbers that lost digits are not used, neither in the rows that were small enough', async () => {
  const table = await tableOf('[{"id":12345678901234567890,"t":"x"},{"id":7,"t":"y"}]')
  assert.equal(
    (await rowsOf(table)).map((row) => row.cells),
    [
      ['', 'x'],
      ['', 'y'],
    ],
  )
  assert.ok(table.notes[0]?.includes('"id"'))
})

test('keys like __proto__ are ordinary columns', async () => {
  const table = await tableOf('[{"__proto__":"x","constructor":{"name":"y"},"toString":"z"}]')
  assert.equal(table.headers, ['__proto__', 'constructor.name', 'toString'])
  assert.equal((await rowsOf(table))[0]?.cells, ['x', 'y', 'z'])
})

test('what is nested deeper than any export is refused in words, as objects, lists, items and lines', async () => {
  const nested = (open: string, close: string) => `${open.repeat(100_000)}1${close.repeat(100_000)}`
  const objects = nested('{"b":', '}')
  const lists = nested('[', ']')
  for (const text of [
    `[{"a":${objects}}]`,
    `[{"a":${lists}}]`,
    lists,
    `[${lists}]`,
    objects,
    `{"a":1}\n{"a":${lists}}\n`,
  ]) {
    const { code, message } = await refusal(text)
    assert.is(code, 'bad_json')
    assert.match(message, /nested deeper/)
  }
})

test('a string of 10 MB that is never closed is refused with its place', async () => {
  for (const piece of ['a', '\\n', '"\\', ' '])
    assert.match(
      (await refusal(`[{"text":"${piece.repeat(5_000_000)}`)).message,
      /(?:breaks off in|is not valid JSON at) line 1/,
    )
})

test('headings over 1,000 characters are refused in words, in CSV and JSON', async () => {
  const long = 'h'.repeat(1_001)
  for (const text of [`date,${long}\n2026-01-05,x\n`, `[{"date":"2026-01-05","${long}":"x"}]`])
    assert.is((await refusal(text)).code, 'header_too_long')
})

test('more rows than any plan takes are refused before they fill the memory', async () => {
  const cases = [`a,b\n${'x,\n'.repeat(600_000)}`, `[${'{},'.repeat(600_000)}{}]`, `[${'0,'.repeat(600_000)}0]`]
  for (const text of cases) assert.is((await refusal(text)).code, 'too_many_rows')
})

test('thousands of keys do not fill the memory, nor do cells that are not there', async () => {
  const wide = JSON.stringify(Array.from({ length: 3_000 }, (_, index) => ({ [`key${index}`]: 'x' })))
  const table = await tableOf(wide)
  assert.is(table.headers.length, 1_000)
  assert.ok(table.notes.some((note) => note.includes('1,000')))
})

test('JSON whose backslashes a database doubled is read as it was, where all of it can be', async () => {
  const items = ['{"a":"He said \\\\"one\\\\".\\\\nTwo"}', '{"a":"C:\\\\\\\\x"}']
  for (const text of [items.join('\n'), `[${items.join(',')}]`]) {
    const table = await tableOf(text, 'x.json')
    assert.equal(
      (await rowsOf(table)).map((row) => row.cells),
      [['He said "one".\nTwo'], ['C:\\x']],
    )
    assert.is(table.notes.length, 1)
  }
  const mixed = await tableOf(`${items.join('\n')}\n{"a":"\\"x\\" \\\\"}`, 'x.jsonl')
  assert.is((await rowsOf(mixed)).filter(({ fault }) => fault).length, 1)
})

test('a single value is refused', async () => {
  assert.is((await refusal('[')).code, 'bad_json')
  assert.is((await refusal('{"a":[{"b":1}],"c":[{"d":1}]}')).code, 'no_rows')
})

test('objects that stand one behind the other are a list, and so are what pages and places of JSON lines list', async () => {
  const reviews = ['Warm {bread}', 'Said "tea\\"', 'One\n],[two'].map((text, index) => ({ id: `r${index}`, text }))
  const written = (indent?: number) => reviews.map((review) => JSON.stringify(review, null, indent))
  for (const text of [
    written(2).join('\n'),
    written().join(''),
    written().join(',\n').concat(','),
    written(2)
      .map((one) => `\u001e${one}\n`)
      .join(''),
    reviews.map((review) => JSON.stringify([review], null, 1)).join('\n'),
    reviews.map((review) => JSON.stringify({ next: 1, reviews: [review, review].slice(1) }, null, 1)).join('\n'),
    reviews.map((review) => JSON.stringify({ next: 1, reviews: [review] })).join('\n'),
  ])
    assert.equal(
      (await rowsOf(await tableOf(text))).map(({ cells }) => cells),
      reviews.map(({ id, text }) => [id, text]),
      text,
    )
  for (const text of ['{\n"id":1} {"id":2', '{\n"id":1} {"id":}', '{"id":1}; {"id":2}', '{"id":1} ] {"id":2}'])
    assert.is((await refusal(text)).code, 'bad_json', text)
})

test('a list of plain values is one cell, in which empty ones are empty', async () => {
  const item = { id: 'r1', date: '2026-01-05', text: 'Warm bread.', tags: ['warm', null, 3] }
  const { rows } = await prepare(JSON.stringify([item]), { metadata: ['tags'] })
  assert.is(rows[0]?.review.metadata?.tags, 'warm, , 3')
})

test('lists called reviews below several names are read together, with a note that has the names', async () => {
  const list = (id: string) => ({ rooms: 3, reviews: [{ id, date: '2026-01-05', text: 'Warm bread.' }] })
  const { rows, warnings } = await prepare(JSON.stringify({ since: 2020, Mill: list('r1'), Quay: list('r2') }))
  assert.is(rows.length, 2)
  assert.ok(warnings.some(({ message }) => /lists of several \("Mill", "Quay"\)/.test(message)))
})

test('where fewer than half of the objects have a list of reviews, the objects are the reviews', async () => {
  const item = (id: string, more = {}) => ({ id, date: '2026-01-05', text: 'Warm bread.', ...more })
  const reviews = [item('r9')]
  const of = async (...items: object[]) =>
    (await prepare(JSON.stringify(items))).rows.map(({ review }) => review.external_id)
  assert.equal(await of(item('r1', { reviews }), item('r2'), item('r3')), ['r1', 'r2', 'r3'])
  assert.equal(await of(item('r1', { reviews }), item('r2')), ['r9'])
})

test('a single review below its id is read, and an empty object is no review', async () => {
  const id = '-NabcdefghijklmnopqX'
  const file = JSON.stringify({ reviews: { [id]: { date: '2026-01-05', text: 'Warm bread.' } } })
  assert.is((await prepare(file)).rows[0]?.review.external_id, id)
  for (const empty of ['{}', '{"reviews":{}}']) assert.match((await refusal(empty)).message, /only an empty object/)
})

test('an object of many names with single values is refused before it takes a minute', async () => {
  const counts = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`word${index}`, index]))
  for (const file of [counts, { data: counts }])
    assert.match((await refusal(JSON.stringify(file))).message, /60,000 names with a single value each/)
  const byId = Object.fromEntries(
    Array.from({ length: 60_000 }, (_, index) => [`r${index}`, { date: '2026-01-05', text: `Bread ${index}.` }]),
  )
  assert.is((await prepare(JSON.stringify(byId))).rows.length, 60_000)
})

test.run()
