import * as assert from 'uvu/assert'
import { ImporterError } from '../../../../src/importer/importer-error.ts'
import { detectDelimiter } from '../../../../src/importer/read/csv/delimiter.ts'
import { suite } from '../../../suite.ts'
import { rowsOf, tableOf } from '../../opened.ts'
import { prepare, refusalOf, reviewsOf } from '../../prepared.ts'

const test = suite('reading CSV')

test('each delimiter is found, also where others stand in the text', async () => {
  for (const delimiter of [',', ';', '\t', '|']) {
    const text = `date,text,rating\n2026-01-05,!,5`.replaceAll(',', delimiter).replace('!', '"a,b;c|d\te"')
    const table = await tableOf(text)
    assert.is(table.delimiter, delimiter)
    assert.equal(
      (await rowsOf(table)).map((row) => row.cells),
      [['2026-01-05', 'a,b;c|d\te', '5']],
    )
  }
  assert.is(detectDelimiter('date;text\n2026;one, two, three\n2026;four, five\n2026;six'), ';')
  assert.is(detectDelimiter('date,text\n2026,"one; two; three; four"\n2026,five'), ',')
})

test('semicolons in some texts below a single heading stay in them', async () => {
  const texts = Array.from({ length: 30 }, (_, row) => (row % 6 === 0 ? `Warm; soft ${row};` : `Warm, soft ${row}`))
  const rows = texts.map((text) => (text.includes(',') ? `"${text}"` : text))
  const reviews = await reviewsOf(['Review', ...rows].join('\n'), { date: '2026-01-05' })
  assert.equal(
    reviews.map(({ text }) => text),
    texts,
  )
  const report = ['Reviews of the mill', ...Array(8).fill('In 2026'), 'date;text', ...Array(12).fill('2026-01-05;a, b')]
  assert.is(detectDelimiter(report.join('\n')), ';', 'a report has its title above')
})

test('where spaces stand behind the delimiters of the header, quotes begin behind them', async () => {
  const rows = [
    'a, "one; two, three"',
    'b, "four ""five"" six"',
    'c, "seven" eight',
    'd, "nine\nten; eleven"',
    'e, twelve',
  ]
  const texts = ['one; two, three', 'four "five" six', '"seven" eight', 'nine\nten; eleven', 'twelve']
  const cellsOf = async (csv: string) => (await rowsOf(await tableOf(csv))).map((row) => row.cells[1])
  assert.equal(await cellsOf(['date, text', ...rows].join('\n')), texts)
  assert.equal(await cellsOf('date,text\na, "as it stands"\n'), [' "as it stands"'])
})

test('cells that are formulas of their texts, and the apostrophes of other programs, are read as a spreadsheet shows them', async () => {
  const csv = [
    '"=""id""",text,date,name',
    '="00123","=""Say """"one"""", and two""",2026-01-05,\'@ann',
    '"=""00124""",\'-5 degrees outside,2026-01-06,Ben',
  ].join('\n')
  assert.equal(
    (await reviewsOf(csv)).map(({ external_id, text, author_name }) => [external_id, text, author_name]),
    [
      ['00123', 'Say "one", and two', '@ann'],
      ['00124', '-5 degrees outside', 'Ben'],
    ],
  )
  const [guarded] = await reviewsOf("text,date\n'-5 outside,2026-01-05\n")
  const [same] = await reviewsOf(JSON.stringify([{ text: "'-5 outside", date: '2026-01-05' }]))
  assert.is(guarded?.external_id, same?.external_id, 'the id is made of the text as it stands in the file')
})

test('quotes behind backslashes are quotes of the text where quoted cells go on behind them', async () => {
  const cellsOf = async (csv: string) => (await rowsOf(await tableOf(csv))).map((row) => row.cells[1])
  const escaped = ['a,"He said \\"one\\", and two"', 'b,""', 'c,"\\"three\\""', 'd,"four \\\\"', 'e,"five\\\nsix"']
  const texts = ['He said "one", and two', '', '"three"', 'four \\', 'five\nsix']
  assert.equal(await cellsOf(['date,text', ...escaped].join('\n')), texts)
  assert.equal(await cellsOf('date,text\na,\\"one\\" and \\"two\\"\nb,"three, \\"four\\""\n'), [
    '"one" and "two"',
    'three, "four"',
  ])
  assert.equal(await cellsOf('date,text\na,"it\\\'s \\"one\\""\nb,"\\"two\\""\n'), ['it\'s "one"', '"two"'])
  assert.equal(await cellsOf('date,text\na,One\\, two\\\r\\\nthree\nb,four\n'), ['One, two\r\nthree', 'four'])
  assert.equal(await cellsOf('date,text\na,"from C:\\"\nb,"""one"" \\ two"\n'), ['from C:\\', '"one" \\ two'])
  assert.equal(await cellsOf('date,text\na,"say ""one"""\nb,"two\\" three"\n'), ['say "one"', '"two\\" three"'])
})

test('tables as databases write them are read by their backslashes, and quotes are letters there', async () => {
  const read = async (rows: string[]) => {
    const table = await tableOf(['date\ttext\ttitle', ...rows, ''].join('\n'))
    return {
      rows: (await rowsOf(table)).map(({ line, cells }) => [line, ...cells.slice(1)]),
      notes: table.notes.length,
    }
  }
  const written = ['a\tOne.\\nTwo.\\tThree\t\\N', 'b\tC:\\\\new\t"', 'c\t"Four"\\\nfive\t', 'd\tSix\t""']
  assert.equal(await read(written), {
    rows: [
      [2, 'One.\nTwo.\tThree', ''],
      [3, 'C:\\new', '"'],
      [4, '"Four"\nfive', ''],
      [6, 'Six', '""'],
    ],
    notes: 1,
  })
  // A backslash of another kind, or only what somebody may have typed: nothing is read out of it.
  assert.equal(await read(['a\tOne.\\nTwo\tshrug ¯\\_ and so on']), {
    rows: [[2, 'One.\\nTwo', 'shrug ¯\\_ and so on']],
    notes: 0,
  })
  assert.equal(await read(['a\topen day\\night\tb']), { rows: [[2, 'open day\\night', 'b']], notes: 0 })
  const commas = await tableOf('date,text\na,One\\, two.\\nThree\nb,"Four"\n')
  assert.equal(commas.notes.length, 0)
  const bare = await tableOf('date,text\na,One\\, two.\\nThree\nb,Four\n')
  assert.equal(
    (await rowsOf(bare)).map(({ cells }) => cells[1]),
    ['One, two.\nThree', 'Four'],
  )
})

test('quotes within quotes that are not doubled end no cell, and a row whose cells they leave open is told', async () => {
  const rows = await rowsOf(
    await tableOf(
      [
        '"date","text","title"',
        '"a","They "love" it","b"',
        '"c",""Quiet" they said, twice","d"',
        '"e",""One" and "two"","Two"',
        '"f","say ""so"" twice","""g"""',
        'h,"Only" these are quoted,i',
        '"j","He said "no", then","k"',
        '"l","say ""so"" twice",""Two" of them"',
        '"m","say ""yes"" and "no"","n"',
        '"o","one "two","',
      ].join('\n'),
    ),
  )
  assert.equal(
    rows.map(({ line, cells, fault }) => (fault ? [line, fault.reason] : cells)),
    [
      ['a', 'They "love" it', 'b'],
      ['c', '"Quiet" they said, twice', 'd'],
      ['e', '"One" and "two"', 'Two'],
      ['f', 'say "so" twice', '"g"'],
      ['h', '"Only" these are quoted', 'i'],
      [7, 'ragged'],
      ['l', 'say "so" twice', '"Two" of them'],
      [9, 'ragged'],
      [10, 'quote_not_closed'],
    ],
  )
})

test('a table that is drawn with lines, or whose cells stand in apostrophes, is refused', async () => {
  const drawn = [
    ' date       | text \n------------+-------\n 2026-01-05 | One  +\n            | two\n',
    '+------+------+\n| date | text |\n+------+------+\n',
    '| date | text |\n| --- | --- |\n| 2026-01-05 | One |\n',
    '┌──────┬──────┐\n│ date │ text │\n├──────┼──────┤\n',
  ]
  for (const table of drawn) assert.is(await refusalOf(() => tableOf(table)), 'not_text', table)
  assert.is(await refusalOf(() => tableOf("'date','text'\n'2026-01-05','One'\n")), 'no_headings')
  assert.is((await rowsOf(await tableOf('date|text\n2026-01-05|--- One ---\n'))).length, 1)
})

test("a spreadsheet's sep= line names the delimiter and keeps the line numbers", async () => {
  const table = await tableOf('sep=;\r\ndate;text\r\n2026-01-05;"a;b"\r\n')
  assert.equal(await rowsOf(table), [{ line: 3, cells: ['2026-01-05', 'a;b'] }])
})

test('a sep= line may name any sign, also beside backslashes', async () => {
  for (const sign of [']', '^', '-', '(', '*', '\\']) {
    const table = await tableOf(`sep=${sign}\ndate${sign}text\n2026${sign}a fine \\\\ place\n`)
    assert.equal(table.headers.slice(0, 2), ['date', 'text'], sign)
  }
})

test('line numbers count the line breaks inside quotes, with each kind of line end', async () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const table = await tableOf(['date,text', `1,"two${end}lines"`, '', '2,"quote "" and, comma"', '3,last'].join(end))
    assert.equal(await rowsOf(table), [
      { line: 2, cells: ['1', `two${end}lines`] },
      { line: 5, cells: ['2', 'quote " and, comma'] },
      { line: 6, cells: ['3', 'last'] },
    ])
  }
})

test('mixed line ends are read as such', async () => {
  const table = await tableOf('date,text\r\n1,one\n2,two\r\n')
  assert.equal(
    (await rowsOf(table)).map((row) => row.cells),
    [
      ['1', 'one'],
      ['2', 'two'],
    ],
  )
})

test('a byte order mark is no part of the first header', async () => {
  assert.equal((await tableOf('\ufeffdate,text\n1,2')).headers, ['date', 'text'])
})

test('lines of a report and groups of headings above the header do no harm', async () => {
  const rows = 'Date,Author,Rating,Text\n2026-01-05,Ida,5,Warm bread.\n2026-01-06,Ben,4,Cold tea.\n'
  for (const above of [
    'Report,All reviews\nPeriod,2025 to 2026\nReviews,2\n\n',
    'Report:,All reviews,,\nPeriod:,2025 to 2026,,\n',
    'Review,,,What was said\n',
  ]) {
    const { rows: found, skipped } = await prepare(above + rows)
    assert.equal(skipped, [])
    assert.equal(
      found.map(({ review }) => [review.author_name, review.rating, review.text]),
      [
        ['Ida', 5, 'Warm bread.'],
        ['Ben', 4, 'Cold tea.'],
      ],
    )
  }
})

test('a row that commas cut is not taken for the header', async () => {
  const { rows, skipped } = await prepare('date,text\n2026-01-05,Warm, soft, fresh\n2026-01-06,Cold tea.\n')
  assert.equal([rows.length, skipped.map(({ reason }) => reason)], [1, ['ragged']])
})

test('a title and empty lines above the header do no harm', async () => {
  const table = await tableOf('Reviews of 2026,,\n\n,,\ndate,text,rating\n2026-01-05,one,5\n')
  assert.equal(table.headers, ['date', 'text', 'rating'])
  assert.equal(await rowsOf(table), [{ line: 5, cells: ['2026-01-05', 'one', '5'] }])
  assert.ok(table.notes.some((note) => note.includes('line 4')))
})

test('rows of the wrong width are faults with their line; empty cells too many are not', async () => {
  const rows = await rowsOf(await tableOf('date,text,rating\n1,short\n2,ok,5\n3,one,5,two\n4,ok,5,,\n5,one,4,5\n'))
  assert.equal(
    rows.map((row) => [row.line, row.fault?.reason]),
    [
      [2, 'ragged'],
      [3, undefined],
      [4, 'ragged'],
      [5, undefined],
      [6, 'ragged'],
    ],
  )
  assert.equal(rows[2]?.cells, ['3', 'one', '5'])
  assert.is(rows[2]?.fault?.surplus, 'two')
})

test('a quote that is never closed costs its own row and no other', async () => {
  const rows = await rowsOf(await tableOf('date,text\n1,one\n2,"two\n3,three\n4,four\n'))
  assert.equal(
    rows.map((row) => [row.line, row.fault?.reason ?? row.cells[1]]),
    [
      [2, 'one'],
      [3, 'quote_not_closed'],
      [4, 'three'],
      [5, 'four'],
    ],
  )
})

test('quotes inside unquoted cells are letters', async () => {
  const rows = await rowsOf(await tableOf('date,text\n1,a 5" pot and "so" on\n'))
  assert.is(rows[0]?.cells[1], 'a 5" pot and "so" on')
})

test('a file with only a header has no rows, and blank text no header', async () => {
  assert.equal(await rowsOf(await tableOf('date,text\n')), [])
  try {
    await tableOf(' \n \n,,\n')
    assert.unreachable()
  } catch (error) {
    assert.ok(error instanceof ImporterError)
  }
})

test('encodings: UTF-16 both ways, with and without its mark, Windows-1252, and lines of both', async () => {
  const text = 'date,text\n2026-01-05,Käse “frisch” – 5 €\n'
  const little = Buffer.from(text, 'utf16le')
  const big = Buffer.from(little).swap16()
  const cases: [Buffer, string][] = [
    [Buffer.concat([Buffer.from([0xff, 0xfe]), little]), 'UTF-16LE'],
    [Buffer.concat([Buffer.from([0xfe, 0xff]), big]), 'UTF-16BE'],
    [little, 'UTF-16LE'],
    [big, 'UTF-16BE'],
    [Buffer.from('date,text\n2026-01-05,K\xe4se \x93frisch\x94 \x96 5 \x80\n', 'latin1'), 'Windows-1252'],
  ]
  for (const [bytes, encoding] of cases) {
    const table = await tableOf(bytes)
    assert.is(table.encoding, encoding)
    assert.is((await rowsOf(table))[0]?.cells[1], 'Käse “frisch” – 5 €')
  }
  const utf8 = Buffer.from('date,text\n1,Käse\n2,Müsli\n3,Öl\n')
  const mixed = await tableOf(Buffer.concat([utf8, Buffer.from('4,caf\xe9\n', 'latin1')]))
  assert.is(mixed.encoding, 'UTF-8 with Windows-1252 lines')
  assert.equal(
    (await rowsOf(mixed)).map((row) => row.cells[1]),
    ['Käse', 'Müsli', 'Öl', 'café'],
  )
})

test('long files are read in turns and lose no row at a chunk border', async () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `${index},"text ${index} ${'é'.repeat(index % 40)}\nline"`)
  const rows = await rowsOf(await tableOf(`date,text\n${lines.join('\n')}\n`))
  assert.is(rows.length, 20_000)
  assert.is(rows[19_999]?.line, 2 + 2 * 19_999)
  assert.ok(rows.every((row, index) => row.cells[0] === String(index) && !row.fault))
})

test('cells longer than what is parsed at a time, and quotes that stay open for long, lose no row either', async () => {
  const long = 'é\n'.repeat(300_000)
  const many = Array.from({ length: 2_000 }, (_, index) => `"${'x'.repeat(400)}\n${index}"`).join(',')
  const headers = Array.from({ length: 1_000 }, (_, index) => `h${index}`).join(',')
  const rows = await rowsOf(
    await tableOf(`date,text\n1,one\n2,"${long}"\n3,"two\nlines"\n4,"open\n${'5,five\n'.repeat(60_000)}`),
  )
  assert.equal(
    rows.slice(0, 5).map((row) => [row.line, row.fault?.reason ?? row.cells[0]]),
    [
      [2, '1'],
      [3, '2'],
      [300_004, '3'],
      [300_006, 'quote_not_closed'],
      [300_007, '5'],
    ],
  )
  assert.is(rows[1]?.cells[1], long)
  assert.is(rows.length, 60_004)
  const wide = await rowsOf(await tableOf(`${headers}\n${many}\n${'y,'.repeat(999)}y\n`))
  assert.equal(
    wide.map((row) => [row.line, row.cells.length, row.fault?.reason]),
    [
      [2, 1_000, 'ragged'],
      [2_003, 1_000, undefined],
    ],
  )
})

test('rows that R numbered below a header without a name for the numbers are read, and others with a cell too many are not', async () => {
  const rows = (count: number, row: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => `${row(at + 1)}\n`).join('')
  const written = (at: number) => `"${at}","2026-01-0${at}",4,"Warm bread, ${at}"`
  const prepared = await prepare(`"date","rating","text"\n${rows(7, written)}`)
  assert.is(prepared.rows.length, 7)
  assert.equal([prepared.rows[0]?.review.text, prepared.rows[0]?.review.rating], ['Warm bread, 1', 4])
  assert.match(
    prepared.warnings.map(({ message }) => message).join('\n'),
    /its rows are numbered, and the numbers have no heading/,
  )
  for (const odd of [
    `id,date,text\n${rows(7, (at) => `${at},2026-01-0${at},Warm bread, and butter`)}`,
    `date,rating,text\n${rows(3, written)}`,
    `date,rating,text\n${rows(7, written)}`.replace('"3"', '"4"'),
  ])
    assert.equal((await prepare(odd)).rows, [], odd)
})

test('Ctrl-Z at the end of a file is no row', async () => {
  const { rows, skipped } = await prepare('date,text\r\n2026-01-05,Warm bread.\r\n\x1a')
  assert.equal([rows.length, skipped.length], [1, 0])
})

test('text with zero bytes is refused with the way out', async () => {
  const text = 'date,text\n2026-01-05,Warm bread.\n'
  for (const file of [text + '\0'.repeat(400), text.replace('.', '.\0\0')])
    await prepare(file).then(
      () => assert.unreachable(),
      (error) => assert.match(String(error), /has text with zero bytes in it, as a copy that was not finished/),
    )
  await prepare('\0'.repeat(400)).then(
    () => assert.unreachable(),
    (error) => assert.match(String(error), /is not text/),
  )
})

test.run()
