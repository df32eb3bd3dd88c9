import * as assert from 'uvu/assert'
import { stableId } from '../../../src/importer/fields/external-id.ts'
import { prepareImport } from '../../../src/importer/rows/prepare.ts'
import { suite } from '../../suite.ts'
import { prepare, refusalOf, reviewOf, reviewsOf } from '../prepared.ts'

const test = suite('preparing an import')

test('each bad row is skipped with its line and its reason, and the good ones go in', async () => {
  const prepared = await prepare(
    [
      'id,date,text,rating',
      '1,2026-01-05,Good.,5',
      '2,2026-02-30,Impossible day.,5',
      '3,,No day.,5',
      '4,2026-01-05,,4',
      '5,2026-01-05,,',
      '6,2026-01-05,Bad stars.,9',
      '7,2026-01-05,#NAME?,5',
      '1.23457E+18,2026-01-05,Rounded id.,5',
      '9,2026-01-05,Short row.',
      `10,2026-01-05,${'x'.repeat(20_001)},5`,
      '11,2026-01-05,null\u0000character,5',
      '12,1/5/2026,Good too.,4/5',
    ].join('\n'),
  )
  assert.equal(
    prepared.rows.map((row) => row.review.external_id),
    ['1', '12'],
  )
  assert.equal(
    prepared.skipped.map((row) => [row.line, row.reason]),
    [
      [3, 'bad_date'],
      [4, 'no_date'],
      [5, 'rating_only'],
      [6, 'no_text'],
      [7, 'bad_rating'],
      [8, 'spreadsheet_error'],
      [9, 'mangled_id'],
      [10, 'ragged'],
      [11, 'invalid'],
      [12, 'invalid'],
    ],
  )
  assert.is(prepared.tables[0]?.rows, 12)
})

test('"Date of experience", which Trustpilot\'s pages add below a review, is no part of the text', async () => {
  const { rows, warnings } = await prepare(
    [
      'author,date,text,rating',
      'Ana,2026-01-05,The bread was warm.Date of experience: January 22 2026,5',
      'Ben,2026-01-06,"Das Brot war warm. Datum der Erfahrung: 22. Januar 2026",5',
      "Cleo,2026-01-07,Le pain était chaud.Date de l'expérience : 22 janvier 2026,5",
      'Dora,2026-01-08,Ask about the Date of experience: nobody knows it,5',
      'Emil,2026-01-09,Date of experience: January 22 2026 and never again,5',
    ].join('\n'),
  )
  assert.equal(
    rows.map(({ review }) => [review.text, review.metadata?.date_of_experience]),
    [
      ['The bread was warm.', 'January 22 2026'],
      ['Das Brot war warm.', '22. Januar 2026'],
      ['Le pain était chaud.', '22 janvier 2026'],
      ['Ask about the Date of experience: nobody knows it', undefined],
      ['Date of experience: January 22 2026 and never again', undefined],
    ],
  )
  assert.equal(
    warnings.map(({ code, count }) => `${code} ${count}`),
    ['experience_date 3'],
  )
})

test('what platforms say before, after or instead of a review is no part of it', async () => {
  const cases: [written: string, kept: string | undefined][] = [
    ['The bread was warm and... READ MORE', 'The bread was warm and...'],
    ['The bread was warm. Read less', 'The bread was warm.'],
    ['The bread was warm\nShow more', 'The bread was warm'],
    ['The bread was wa...More', 'The bread was wa...'],
    ['Das Brot war war… Mehr', 'Das Brot war war…'],
    ['ขนมปังอุ่นมาก...อ่านต่อ', 'ขนมปังอุ่นมาก...'],
    ['Rotinya hangat dan … Lengkapnya', 'Rotinya hangat dan …'],
    ['Brødet var varmt og… Læs mere', 'Brødet var varmt og…'],
    ['Brødet var varmt... mere', 'Brødet var varmt... mere'],
    ['パンが温かくて…もっと見る', 'パンが温かくて…'],
    ['Chleb był ciepły… Czytaj dalej', 'Chleb był ciepły…'],
    ['✅ Trip Verified |  The bread was warm.', 'The bread was warm.'],
    ['Not Verified | The bread was warm.', 'The bread was warm.'],
    ['The media could not be loaded.\n The bread was warm.', 'The bread was warm.'],
    ['[[VIDEOID:0a1b2c]] The bread was warm.', 'The bread was warm.'],
    ['The bread was warm. Read more\nDate of experience: January 22, 2026', 'The bread was warm.'],
    [
      'The bread was warm.\nReview collected in partnership with this bakery\nThis review is the subjective opinion of a Tripadvisor member and not of Tripadvisor LLC. Tripadvisor performs checks on reviews.',
      'The bread was warm.',
    ],
    ["The user didn't write a review, and has left just a rating.", undefined],
    ['此用户没有填写评价。', undefined],
    ['评价方未及时做出评价,系统默认好评!', undefined],
    ['Текст отзыва недоступен', undefined],
    [
      'What do you like best?It is warm. Review collected by and hosted on G2.com.What do you dislike?Loud. Review collected by and hosted on G2.com.',
      'What do you like best?It is warm.\n\nWhat do you dislike?Loud.',
    ],
    ['There are no comments available for this review', undefined],
    ['This review was deleted by its author', undefined],
    ['[deleted]', undefined],
    ['n/a', undefined],
    ['None', undefined],
    ['--', undefined],
    ['The bread was warm.\n3 people found this helpful\nHelpful\nReport', 'The bread was warm.'],
    ['The bread was warm\nHelpful\n\nReport', 'The bread was warm'],
    ['Not one person found this helpful', 'Not one person found this helpful'],
    [':)', ':)'],
    ['👍', '👍'],
    ['The host canceled this reservation 3 days before arrival. This is an automated posting.', undefined],
    ['I cannot wait to read more', 'I cannot wait to read more'],
    ['There is more to see. Read more books, eat more bread', 'There is more to see. Read more books, eat more bread'],
    ['Bread, cakes... and more', 'Bread, cakes... and more'],
    ['My trip, verified | The bread was warm.', 'My trip, verified | The bread was warm.'],
  ]
  const { rows, skipped, warnings } = await prepare(
    JSON.stringify(cases.map(([text], i) => ({ author: `Ana ${i}`, date: '2026-01-05', text, rating: 5 }))),
  )
  assert.equal(
    rows.map(({ review }) => review.text),
    cases.flatMap(([, kept]) => (kept === undefined ? [] : [kept])),
  )
  assert.equal(
    skipped.map(({ reason }) => reason),
    [...Array(10).fill('rating_only'), 'not_a_review'],
  )
  assert.equal(
    warnings.filter(({ code }) => code === 'page_words').map(({ count }) => count),
    [19],
  )
})

test("a business's reply that was copied with a review is not quoted as the customer's words", async () => {
  const cases: [written: string, kept: string | undefined][] = [
    ['Warm bread!\nResponse from the owner 3 months ago\nThank you, see you soon.', 'Warm bread!'],
    ['Warm bread! Response from the owner a week ago Thank you, see you soon.', 'Warm bread!'],
    ['Warm bread!\n\nResponse from the owner\nThank you.', 'Warm bread!'],
    ['Warmes Brot!\nAntwort vom Inhaber vor 2 Wochen\nVielen Dank!', 'Warmes Brot!'],
    ['Du bon pain !\nRéponse du propriétaire il y a un mois\nMerci', 'Du bon pain !'],
    ['温かいパン\nオーナーからの返信 3 か月前\nありがとう', '温かいパン'],
    ['Warm bread.\n\nReply from Lantern Bakery\nJan 7, 2026\nThank you', 'Warm bread.'],
    ['Warm bread.\nResponse from Mia, Owner at Lantern\nResponded January 7, 2026\nThank you', 'Warm bread.'],
    ['Warm bread.\nComment from Mia K. of Lantern\nBusiness Owner\n1/7/2026 Thank you', 'Warm bread.'],
    ['Response from the owner 3 months ago\nThank you', undefined],
    ['Response from the owner was quick, 3 months ago', 'Response from the owner was quick, 3 months ago'],
    ['I loved the Response from the owner\nand the bread', 'I loved the Response from the owner\nand the bread'],
    ['Reply from the bakery:\nnone so far', 'Reply from the bakery:\nnone so far'],
  ]
  const { rows, skipped, warnings } = await prepare(
    JSON.stringify(cases.map(([text], i) => ({ author: `Ana ${i}`, date: '2026-01-05', text, rating: 5 }))),
  )
  assert.equal(
    rows.map(({ review }) => review.text),
    cases.flatMap(([, kept]) => (kept === undefined ? [] : [kept])),
  )
  assert.is(skipped.length, 1)
  assert.equal(
    warnings.filter(({ code }) => code === 'reply_cut').map(({ count }) => count),
    [9],
  )
})

test("a shop's reply among the reviews is skipped where it is called so, and noted where only its thanks tell", async () => {
  const { rows, skipped, warnings } = await prepare(
    'date,author,text\n2026-01-05,Ana,Warm bread\n2026-01-05,Ответ продавца,Приходите ещё\n' +
      '2026-01-06,Satıcı Yanıtı:,Yine bekleriz\n2026-01-06,Ben,"Cold bread. Hello Ben, thank you for your honest feedback!"\n' +
      '2026-01-07,Cy,Here is my response from the seller\n2026-01-07,Di,Thank you for your time reading my review\n',
  )
  assert.equal(
    rows.map(({ review }) => review.author_name),
    ['Ana', 'Ben', 'Cy', 'Di'],
  )
  assert.equal(
    skipped.map(({ line, reason }) => [line, reason]),
    [
      [3, 'not_a_review'],
      [4, 'not_a_review'],
    ],
  )
  assert.equal(
    warnings.map(({ code, count }) => [code, count]),
    [['reply_like', 1]],
  )
  assert.match(warnings[0]?.message ?? '', /^1 row has a text that thanks for a review .*\(line 5\)$/)
})

test("the ratings in detail that Google's pages show below a review are metadata", async () => {
  const cases: [written: string, text: string, ratings: string | undefined][] = [
    [
      'Warm bread.\nFood: 5/5 | Service: 4/5 | Atmosphere: 5/5',
      'Warm bread.',
      'Food: 5/5 | Service: 4/5 | Atmosphere: 5/5',
    ],
    ['Quiet room. Rooms: 5/5  |  Service: 5/5', 'Quiet room.', 'Rooms: 5/5 | Service: 5/5'],
    ['Quiet room… More\nRooms: 5/5 | Service: 5/5', 'Quiet room…', 'Rooms: 5/5 | Service: 5/5'],
    ['Warm bread. Food: 5/5 Service: 4/5', 'Warm bread. Food: 5/5 Service: 4/5', undefined],
    ['Warm bread.\nFood: 5/5\nService: 4/5', 'Warm bread.\nFood: 5/5\nService: 4/5', undefined],
    ['Warm bread. Food: 5/5', 'Warm bread. Food: 5/5', undefined],
    [
      'Food: 5/5, a great loaf. Service: 4/5, a bit slow',
      'Food: 5/5, a great loaf. Service: 4/5, a bit slow',
      undefined,
    ],
  ]
  const { rows, warnings } = await prepare(
    JSON.stringify(cases.map(([text], i) => ({ author: `Ana ${i}`, date: '2026-01-05', text, rating: 5 }))),
  )
  assert.equal(
    rows.map(({ review }) => [review.text, review.metadata?.detailed_ratings]),
    cases.map(([, text, ratings]) => [text, ratings]),
  )
  assert.equal(
    warnings.map(({ code, count }) => `${code} ${count}`),
    ['detailed_ratings 3', 'page_words 1'],
  )
})

test('what a platform says instead of one half of a review is left out, under the id that the whole text gives', async () => {
  const nothing = 'There are no comments available for this review'
  const header = 'Positive review,Negative review,Review score,Review date\n'
  const { rows } = await prepare(
    `${header}Warm bread.,${nothing},9,2026-01-05\n${nothing},Cold soup.,3,2026-01-05\n${nothing},${nothing},9,2026-01-05\n`,
  )
  assert.equal(
    rows.map(({ review }) => review.text),
    ['Warm bread.', 'Cold soup.'],
  )
  const whole = { source: 'custom', author: 'Anonymous', day: '2026-01-05', text: `Warm bread.\n\n${nothing}` } as const
  assert.is(rows[0]?.review.external_id, stableId(whole))
})

test("a spreadsheet's error instead of the author's name is told, a missing one is not", async () => {
  const csv = (name: string) => `date,author,text\n2026-01-05,${name},Warm bread\n`
  const [wrong, none] = [await prepare(csv('#REF!')), await prepare(csv('#N/A'))]
  assert.equal(
    [wrong, none].map(({ rows }) => rows[0]?.review.author_name),
    ['Anonymous', 'Anonymous'],
  )
  assert.match(wrong.warnings[0]?.message ?? '', /1 row has a spreadsheet's error instead of the author's name/)
  assert.equal(none.warnings, [])
})

test('what programs write for nothing is no id that rows share, and no text', async () => {
  const nothing = ['NULL', 'n/a', '-', '\\N', 'undefined', '(null)', '[NULL]', '<NA>', '#REF!', '']
  const rows = nothing.map((id, place) => `${id},2026-01-1${place},Bread ${place}.,5\n`)
  const { rows: read, skipped } = await prepare(
    `id,date,text,rating\n${rows.join('')}0,2026-01-07,Bread of zero.,5\n8,2026-01-08,NULL,5\n9,2026-01-09,\\N,\n`,
  )
  const ids = read.map(({ review }) => review.external_id)
  assert.is(new Set(ids).size, 11)
  assert.ok(ids.slice(0, 10).every((id) => id.startsWith('h1-')))
  assert.is(ids[10], '0')
  assert.equal(
    skipped.map(({ line, reason }) => [line, reason]),
    [
      [13, 'rating_only'],
      [14, 'no_text'],
    ],
  )
})

test('what a database writes for nothing is no platform, no link, no metadata, and not filled where the next column is', async () => {
  const rows = await reviewsOf(
    'review\tcreated_at\tplatform\turl\tbranch\nWarm bread.\t2026-01-05\tNULL\tNULL\tNULL\nCold bread.\t2026-01-05\tgoogle\thttps://a.example/1\tMill\n',
    { metadata: ['branch'] },
  )
  assert.equal(
    rows.map((r) => [r.text, r.source, r.url, r.metadata]),
    [
      ['Warm bread.', 'custom', undefined, undefined],
      ['Cold bread.', 'google', 'https://a.example/1', { branch: 'Mill' }],
    ],
  )
  const loox = await reviewsOf(
    'id,status,rating,email,nickname,full_name,review,date\n1,Active,5,,NULL,Ann B.,Warm bread.,2026-01-05\n2,Active,5,,NULL,,Cold bread.,2026-01-05\n',
  )
  assert.equal(
    loox.map((r) => r.author_name),
    ['Ann B.', 'Anonymous'],
  )
})

test('a translation without its original is the text, with a warning', async () => {
  const prepared = await prepare('date,text\n2026-01-05,(Translated by Google) Good bread.\n')
  assert.is(prepared.rows[0]?.review.text, 'Good bread.')
  assert.ok(prepared.warnings.some((warning) => warning.code === 'translation_only'))
})

test('a file of nothing but bad rows ends with counts', async () => {
  const prepared = await prepare('date,text\nx,One.\ny,Two.\n,Three.\n')
  assert.is(prepared.rows.length, 0)
  assert.is(prepared.skipped.length, 3)
})

test('optional values that cannot be read are left out with a warning, the review stays', async () => {
  const prepared = await prepare(
    'date,text,url,avatar,language\n2026-01-05,One.,https://example.com,https://example.com/a.png,en\n2026-01-05,Two.,javascript:x,no picture,qqqq!\n2026-01-06,Three.,https://example.com/3,https://example.com/b.png,de\n',
  )
  const review = prepared.rows[1]?.review
  assert.is(review?.url, undefined)
  assert.is(review?.author_avatar_url, undefined)
  assert.is(review?.language, undefined)
  assert.equal(prepared.warnings.map((warning) => [warning.code, warning.count]).sort(), [
    ['language_left_out', 1],
    ['link_left_out', 1],
  ])
})

test('texts stay verbatim: emoji, right-to-left, line breaks, markup and inner blanks', async () => {
  const text = '  مرحبا 🍵👩‍👩‍👧 "so"\n\tgood <b>&amp;</b>  twice  '
  const review = await reviewOf(JSON.stringify([{ date: '2026-01-05', text }]))
  assert.is(review.text, text.trim())
})

test('a name whose letters were lost is noted, and not shown if none is left', async () => {
  const names = ['???? ??????', 'Kr?l', '?zlem Kaya', 'Who?', 'Ann Baker']
  const { rows, warnings } = await prepare(
    `date,author,text\n${names.map((name, row) => `2026-01-05,${name},Text ${row}.\n`).join('')}`,
  )
  const written = rows.map(({ review }) => review.author_name)
  assert.equal(written, ['Anonymous', 'Kr?l', '?zlem Kaya', 'Who?', 'Ann Baker'])
  assert.match(
    warnings.find(({ code }) => code === 'question_marks')?.message ?? '',
    /^3 rows have question marks, .* \(line 2, line 3, line 4\)$/,
  )
})

test('no author is Anonymous', async () => {
  const nameOf = async (cell: string) => (await reviewOf(`date,text,author\n2026-01-05,One.,${cell}\n`)).author_name
  for (const none of [
    ' ',
    'NULL',
    '\\N',
    'NaN',
    'N/A',
    '-',
    'NA',
    '(null)',
    '[NULL]',
    '#NAME?',
    '#NV',
    '#¿NOMBRE?',
    '#ЗНАЧ!',
    '****',
    '*** ***',
  ])
    assert.is(await nameOf(none), 'Anonymous')
  for (const name of ['Null', 'Nan', 'Na', 'A***', '*Mia*']) assert.is(await nameOf(name), name)
})

test("Google's envelope gives the original as text and the translation as metadata, whatever the format", async () => {
  const review = await reviewOf('date,text\n2026-01-05,"(Translated by Google) Good.\n\n(Original)\nGut."\n')
  assert.is(review.text, 'Gut.')
  assert.equal(review.metadata, { translation: 'Good.' })
})

test('double-encoded text is kept with a warning, and mended on request under the same id', async () => {
  const csv = 'date,text,author\n2026-01-05,Der KÃ¤se war gut âœ¨,JÃ¼rgen\n'
  const prepared = await prepare(csv)
  assert.is(prepared.rows[0]?.review.text, 'Der KÃ¤se war gut âœ¨')
  assert.ok(prepared.warnings.some((warning) => warning.message.includes('--repair-encoding')))
  const mended = await reviewOf(csv, { repair_encoding: true })
  assert.is(mended.text, 'Der Käse war gut ✨')
  assert.is(mended.author_name, 'Jürgen')
  assert.is(mended.external_id, prepared.rows[0]?.review.external_id)
})

test('a file that a spreadsheet saved again keeps its ids: other delimiter, encoding, line ends and dates', async () => {
  const exported = await reviewOf('\ufeffdate,author,text,rating\n2026-01-05T10:00:00Z,Zoë,"Käse, Brot\nund Öl",5\n')
  const saved = await reviewOf(
    Buffer.from('date;author;text;rating\r\n1/5/2026;Zo\xeb;"K\xe4se, Brot\r\nund \xd6l";5\r\n', 'latin1'),
  )
  assert.is(saved.external_id, exported.external_id)
  assert.is(saved.text.replace('\r', ''), exported.text)
})

test('rows with one id are one review: the last counts, the others are accounted for', async () => {
  const prepared = await prepare(
    'id,date,text\na,2026-01-05,Old.\nb,2026-01-05,B.\na,2026-01-06,New.\nb,2026-01-05,B.\n',
  )
  assert.equal(prepared.rows.map((row) => row.review.text).sort(), ['B.', 'New.'])
  assert.equal(prepared.repeated, { count: 2, different: 1 })
  assert.ok(prepared.warnings.some((warning) => warning.code === 'repeated' && warning.message.includes('--map id=')))
})

test('the same id from two sources is two reviews', async () => {
  const prepared = await prepare('id,date,text,source\na,2026-01-05,A.,Google\na,2026-01-05,B.,Yelp\n')
  assert.is(prepared.rows.length, 2)
})

test('of a platform that is none of the known ones the name is kept, and told', async () => {
  const { rows, warnings } = await prepare(
    'id,date,text,source\na,2026-01-05,A.,Google\nb,2026-01-05,B.,HolidayCheck\nc,2026-01-05,C.,Camping.info\n',
  )
  assert.equal(
    rows.map(({ review }) => [review.source, review.metadata?.source_name]),
    [
      ['google', undefined],
      ['custom', 'HolidayCheck'],
      ['custom', 'Camping.info'],
    ],
  )
  assert.is(warnings.find(({ code }) => code === 'unknown_source')?.count, 2)
})

test('the made id tells the platforms of a multi-source export apart, and a re-saved file keeps it', async () => {
  const table = (date: string) =>
    prepare(`date,text,author,source\n${date},Same words.,Ana,Google\n${date},Same words.,Ana,Yelp\n`)
  const ids = (prepared: Awaited<ReturnType<typeof prepare>>) => prepared.rows.map((row) => row.review.external_id)
  const exported = ids(await table('2026-01-05T18:30:00Z'))
  assert.is(new Set(exported).size, 2)
  assert.equal(ids(await table('1/5/2026')), exported)
  assert.equal(ids(await table('2026-01-05 18:30')), exported)
})

test('a file of headings only, or of an empty list, is refused', async () => {
  for (const content of ['date,text\n', 'date,text\n\n\n', '[]', '{"reviews":[]}'])
    assert.is(await refusalOf(() => prepare(content)), 'no_rows', content)
})

test('what is refused is described as what it is', async () => {
  const cases: [name: string, content: string | Buffer, message: RegExp][] = [
    ['a.json', 'this is not json', /a\.json is not valid JSON at line 1, column 1/],
    ['a.json', '"hello"', /a\.json contains a single JSON value, not a list of reviews/],
    ['a.jsonl', '42', /contains a single JSON value/],
    ['a.json', '["good","bad"]', /is a list of texts, not of objects/],
    ['a.json', '[[1],[2]]', /is a list of lists, not of objects/],
    ['a.json', '{}', /contains only an empty object/],
    ['a.json', '{"reviews": [ {"text": "a" ', /breaks off in line 1: it is incomplete/],
    ['a.json', '{"reviews": [ {"text": "a', /breaks off in line 1: it is incomplete/],
    ['a.json', '{"reviews": [ {"text" "a"}]}', /is not valid JSON at line 1, column 23/],
    ['a.csv', 'date,text\n', /a\.csv has headings but no rows/],
    ['a.txt', 'Some notes.\n', /has nothing below the line "Some notes\.", which has no known heading/],
    [
      'a.csv',
      '2026-01-02,Ann,5,Clean rooms\n2026-02-03,Bob,4,Good\n',
      /its first line, "2026-01-02, Ann, .* Put a line of headings/,
    ],
    ['a.csv', Buffer.from('fffe0000740000006500000078000000', 'hex'), /is text in UTF-32\. Save it as UTF-8/],
  ]
  for (const [name, content, message] of cases) {
    const file = { name, bytes: Buffer.from(content) }
    const said = await prepareImport([file]).then(
      () => 'imported',
      (error: Error) => error.message,
    )
    assert.match(said, message)
  }
  // CSV under another name is CSV.
  const misnamed = await prepareImport([{ name: 'a.json', bytes: Buffer.from('date,text\n2026-01-02,Clean rooms\n') }])
  assert.is(misnamed.rows.length, 1)
})

test('several files are one import; a folder passes over what holds no reviews', async () => {
  const files = [
    { name: 'a.csv', bytes: Buffer.from('id,date,text\n1,2026-01-05,One.\n') },
    { name: 'b.json', bytes: Buffer.from('[{"id":"2","date":"2026-01-05","text":"Two."}]') },
    { name: 'settings.json', bytes: Buffer.from('[{"theme":"dark"}]') },
  ]
  const prepared = await prepareImport(files, {}, { wholeFolder: true })
  assert.is(prepared.rows.length, 2)
  assert.equal(
    prepared.tables.map((table) => table.file),
    ['a.csv', 'b.json'],
  )
  assert.equal(
    prepared.passedOver.map(({ file, code }) => [file, code]),
    [['settings.json', 'mapping_needed']],
  )
  assert.is(await refusalOf(() => prepareImport(files)), 'mapping_needed')
})

test('files that can never be an import say what to do instead', async () => {
  const cases: [string | Buffer, string][] = [
    ['', 'empty_file'],
    [Buffer.alloc(11 * 1024 * 1024, 'a'), 'file_too_large'],
    [Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0]), 'spreadsheet_file'],
    [Buffer.from([0x1f, 0x8b, 8, 0]), 'compressed_file'],
    [Buffer.from('BZh91AY'), 'compressed_file'],
    [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 4, 0]), 'compressed_file'],
    ['%PDF-1.7 …', 'not_text'],
    [Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 1, 2, 3]), 'not_text'],
    ["-- MySQL dump 10.13\n--\nINSERT INTO reviews VALUES ('2026-01-05','Good, and near');\n", 'not_text'],
    ["--\n-- PostgreSQL database dump\n--\n\nSET x = 'a';\n", 'not_text'],
    [
      "-- Our reviews\n\nINSERT INTO reviews (rating, comment, day) VALUES\n(5, 'Good, and near', '2026-01-05');\n",
      'not_text',
    ],
    ['-- Ours\r\nSET NAMES utf8mb4;\r\nUSE shop;\r\nINSERT INTO reviews VALUES (1);\r\n', 'not_text'],
    ['ID;PWXL;N;E\nC;X1;Y1;K"date"\nC;X2;K"text"\nE\n', 'spreadsheet_file'],
    ['TABLE\n0,1\n"EXCEL"\n', 'spreadsheet_file'],
    ['{\\rtf1\\ansi date;text\\par}', 'not_text'],
    ['# ours\n- author: Ann\n  date: 2026-01-05\n  text: Warm bread, good\n', 'not_text'],
    ['reviews:\n  - author: Ann\n    text: Warm bread, good\n', 'not_text'],
    ['---\r\nauthor: Ann\r\ndate: 2026-01-05\r\n---\r\nWarm bread, good.\r\n', 'not_text'],
    ['<!DOCTYPE html><html>', 'web_page'],
    ['<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?><Workbook xmlns="urn:…">', 'spreadsheet_file'],
    ['<?xml version="1.0" encoding="UTF-8"?>\n<office:document xmlns:office="urn:…">', 'spreadsheet_file'],
    ['"just text"', 'no_rows'],
    ['{"a":', 'bad_json'],
  ]
  for (const [content, code] of cases)
    assert.is(await refusalOf(() => prepare(content)), code, String(content).slice(0, 20))
  assert.is(
    (await prepare('ID;Platform;date;text\n1;web;2026-01-05;Good\n')).rows.length,
    1,
    'a heading like that of SYLK',
  )
  assert.is(
    (await prepare('#,author,date,text\n1,Ann,2026-01-05,- bread: good\n')).rows.length,
    1,
    'a heading like a comment of YAML',
  )
  // What shop systems call an Excel file.
  assert.is(await refusalOf(() => prepare('<table><tr><td>Review</td></tr></table>', {}, 'a.xls')), 'spreadsheet_file')
})

test('a table of a web page under the name of another file is told as one, with the way out', async () => {
  const table = '<table><tr><th>date</th><th>text</th></tr><tr><td>2026-01-05</td><td>Good</td></tr></table>'
  const saidOf = (content: string | Buffer, name: string) =>
    prepare(content, {}, name).then(
      () => 'imported',
      (error: Error) => error.message,
    )
  for (const before of [
    '',
    '<html><body>',
    '<style>td{}</style>',
    '<meta charset="utf-8">',
    '<!-- export -->\n',
    '\ufeff<div>',
  ])
    for (const name of ['a.csv', 'a.xlsx'])
      assert.match(await saidOf(before + table, name), /is a web page with a table in it.*\.html.*CSV UTF-8/)
  assert.match(await saidOf(Buffer.from(`\ufeff${table}`, 'utf16le'), 'a.csv'), /is a web page with a table in it/)
  assert.match(await saidOf('<html><form><input type="password">', 'a.csv'), /perhaps a login page was saved/)
})

test('what a spreadsheet writes in its own language where a formula failed is no text and no name', async () => {
  const words = [
    '#WERT!',
    '#NV',
    '#NOM?',
    '#¡VALOR!',
    '#N/D',
    '#WAARDE!',
    '#ARG!',
    '#ЗНАЧ!',
    '#DEĞER!',
    '#GETTING_DATA',
  ]
  const rows = words.map((word, day) => `2026-01-${day + 10},${word},${word}\n`).join('')
  const { skipped, rows: read } = await prepare(`date,author,text\n${rows}2026-01-05,#WERT!,#WOW!\n`)
  assert.equal([...new Set(skipped.map(({ reason }) => reason))], ['spreadsheet_error'])
  assert.is(skipped.length, words.length)
  assert.equal(
    read.map(({ review }) => [review.author_name, review.text]),
    [['Anonymous', '#WOW!']],
  )
})

test('of exports of several months in one folder the newest counts, whatever the files are called', async () => {
  const month = (name: string, lines: string) => ({ name, bytes: Buffer.from(`id,date,text,rating\n${lines}`) })
  const april = 'a,2026-03-05,New.,1\nb,2026-03-06,B.,5\nc,2026-04-07,C.,5\n'
  const march = 'a,2026-03-05,Old.,5\nb,2026-03-06,B.,5\nd,2026-03-07,D.,5\n'
  for (const files of [
    [month('april.csv', april), month('march.csv', march)],
    [month('reviews.csv', march), month('reviews-2.csv', april)],
  ]) {
    const { rows, repeated, warnings } = await prepareImport(files)
    const texts = rows.map(({ review }) => `${review.text} ${review.rating}`).sort()
    assert.equal(texts, ['B. 5', 'C. 5', 'D. 5', 'New. 1'])
    assert.equal(repeated, { count: 2, different: 1 })
    assert.match(
      warnings.find(({ code }) => code === 'repeated')?.message ?? '',
      /^2 rows are repeated by another row; the one in the file with the latest review counts; 1 of them/,
    )
  }
})

test('two versions of one export in a folder are told, since nothing compares them there', async () => {
  const month = (name: string, ...days: [day: number, text: string][]) => ({
    name,
    bytes: Buffer.from(`author,date,text\n${days.map(([day, text]) => `Ann,2026-03-0${day},${text}\n`).join('')}`),
  })
  const noted = async (...files: { name: string; bytes: Uint8Array }[]) =>
    (await prepareImport(files)).warnings.flatMap(({ message }) => (/exports of the same/.test(message) ? message : []))
  const old = month('old.csv', [1, 'A.'], [2, 'B.'], [3, 'C.'], [4, 'Before.'])
  const newer = month('new.csv', [1, 'A.'], [2, 'B.'], [3, 'C.'], [4, 'After.'], [5, 'E.'])
  for (const files of [
    [old, newer],
    [newer, old],
  ])
    assert.match(
      (await noted(...files)).join(),
      /^old\.csv: 3 of its reviews are in new\.csv too, and 1 of the same days is not\. .* one after the other/,
    )
  assert.equal(await noted(month('old.csv', [1, 'A.'], [2, 'B.'], [3, 'C.']), newer), [], 'all are there')
  assert.equal(await noted(month('old.csv', [1, 'A.'], [2, 'B.'], [4, 'Else.']), newer), [], 'only two are')
  const branch = month('branch.csv', [1, 'A.'], [2, 'B.'], [3, 'C.'], [4, 'X.'], [4, 'Y.'], [4, 'Z.'], [4, 'Q.'])
  assert.equal(await noted(branch, newer), [], 'most are not')
  const latest = month('new.csv', [2, 'B.'], [3, 'C.'], [4, 'D.'], [5, 'E.'])
  assert.equal(
    await noted(month('old.csv', [1, 'A.'], [2, 'B.'], [3, 'C.'], [4, 'D.']), latest),
    [],
    'of an earlier day',
  )
})

test('texts that were cut short are told where they are many, and not where they are a habit of some', async () => {
  const text = 'The bread was warm, the soup was good and the staff knew every one of their guests by name and'
  const csv = (tail: string, others: number) =>
    `date,text,author\n2026-01-05,"${text}${tail}",Ann\n${Array.from({ length: others }, (_, n) => `2026-01-05,${text} so on.,Guest ${n}\n`).join('')}`
  const noteOf = async (content: string) => (await prepare(content)).warnings.find(({ code }) => code === 'cut_text')
  for (const tail of ['...', '…', '… More', '... Read more', '…selengkapnya', '… Lengkapnya', '...อ่านต่อ', ' READ MORE'])
    assert.ok(await noteOf(csv(tail, 2)), tail)
  assert.not.ok(await noteOf(csv('...', 9)))
  assert.not.ok(await noteOf('date,text\n2026-01-05,Well...\n'))
})

test('rows whose made ids are the same are not blamed on an id column that the file has not', async () => {
  const { warnings } = await prepare('date,text,author\n2026-01-05,Good,Ann\n2026-01-05,good,Ann\n')
  assert.match(warnings[0]?.message ?? '', /repeated by a later row; the last one counts$/)
})

test('the page that a feedback tool recorded is linked without the key of its visitor, which is said', async () => {
  const csv =
    'date,text,Source URL,avatar\n2026-01-05,Warm bread,https://shop.example/me?token=a1,https://cdn.example/a.png?sig=x1\n'
  const { rows, warnings } = await prepare(csv)
  assert.is(rows[0]?.review.url, 'https://shop.example/me')
  assert.is(rows[0]?.review.author_avatar_url, 'https://cdn.example/a.png?sig=x1', 'which does not load otherwise')
  assert.match(
    warnings.map(({ message }) => message).join(),
    /1 row has an address with a token, key or e-mail address/,
  )
})

test.run()
