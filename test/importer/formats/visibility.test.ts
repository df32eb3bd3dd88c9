import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { prepare } from '../prepared.ts'

const test = suite('which reviews may be shown')

/** The authors of the rows that are imported as hidden. */
async function hiddenIn(content: string): Promise<string[]> {
  const { rows } = await prepare(content)
  return rows.filter((row) => row.hidden).map((row) => row.review.author_name)
}

const table = (heading: string, cells: string[]) =>
  `created,name,review,${heading}\n${cells.map((cell, row) => `2026-01-05,${'ABCDEFG'[row]},Warm bread again,${cell}\n`).join('')}`

const COLUMNS: [string, string, string[], string[]][] = [
  ['the flag of Stamped', 'published', ['true', 'false'], ['B']],
  ['a flag that a German spreadsheet saved', 'published', ['WAHR', 'FALSCH'], ['B']],
  ['an opposite that a French one saved', 'archived', ['FAUX', 'VRAI'], ['B']],
  ['the flag of Shopware 5', 'active', ['1', '0'], ['B']],
  ['the opposite of Odoo', 'is_internal', ['False', 'True'], ['B']],
  ['the same as its list is called', 'Visible Internally Only', ['False', 'True'], ['B']],
  ['the joined states of Magento', 'status_code', ['Approved', 'Pending', 'Not Approved'], ['B', 'C']],
  ['what nobody decided yet, as in Sylius', 'status', ['accepted', 'new', 'rejected', 'accepted'], ['B', 'C']],
  ['what is new where nothing is decided,', 'status', ['new', 'published', 'published'], []],
  [
    'a date of publication in the wrapper of Strapi 4',
    'attributes.publishedAt',
    ['2026-01-05', '', 'null'],
    ['B', 'C'],
  ],
  ['what has expired in Craft', 'Status', ['live', 'pending', 'disabled', 'expired'], ['B', 'C', 'D']],
  ['words among dates of publication', 'published', ['yes', 'pending', '2026-01-05'], ['B', 'C']],
  ['the flag of PrestaShop', 'validate', ['1', '0'], ['B']],
  ['a flag that means the opposite', 'Deleted', ['0', '1', '', 'no'], ['B']],
  ['a date of deletion', 'deleted_at', ['', '2026-01-09', 'null', '0000-00-00 00:00:00'], ['B']],
  ['a date of publication', 'published_at', ['2026-01-05', '', 'null'], ['B', 'C']],
  ['what Fivetran found deleted', '_fivetran_deleted', ['false', 'true'], ['B']],
  ['the day on which Stitch found it deleted', '_sdc_deleted_at', ['', '2026-01-09'], ['B']],
  ['the display of Naver', '전시상태', ['전시', '미전시'], ['B']],
  ['words in Hebrew', 'סטטוס', ['מפורסם', 'נדחה', 'מפורסם'], ['B']],
  ['what shops on Meituan display', '展示状态', ['展示', '折叠', '正常'], ['B']],
  ['a request', 'moderation status', ['Approved', "Please don't publish", 'isn’t approved'], ['B', 'C']],
  ['a Polish status', 'Status publikacji', ['Opublikowana', 'Odrzucona', 'Oczekująca'], ['B', 'C']],
  ['a Portuguese status', 'Situação', ['Publicado', 'Recusado', 'Aguardando aprovação'], ['B', 'C']],
  ['a Persian status', 'وضعیت', ['منتشر شده', 'رد شده', 'در انتظار'], ['B', 'C']],
  ['a quarantine', 'quarantine', ['false', 'true'], ['B']],
  [
    'words with a sign before them, as in Notion',
    'Status',
    ['✅ Approved', '🔴 Hidden', '⏳ Pending', 'Live!'],
    ['B', 'C'],
  ],
  ['a number below zero', 'published', ['1', '-1', '0'], ['B', 'C']],
  ['whatever is public or private', 'Type', ['Public', 'Private'], ['B']],
  ['the state of Junip', 'review_state', ['published', 'rejected'], ['B']],
  ['WooCommerce', 'status', ['approved', 'hold', 'spam', 'trash'], ['B', 'C', 'D']],
  ['Magento', 'Status', ['Approved', 'Pending', 'Not Approved'], ['B', 'C']],
  ['Yext', 'status', ['LIVE', 'QUARANTINED', 'REMOVED', 'SUPPRESSED'], ['B', 'C', 'D']],
  ['words in German', 'Status', ['freigegeben', 'nicht freigegeben', 'wartend', 'in Prüfung'], ['B', 'C', 'D']],
  ['words in French', 'Statut', ['Publié', 'En attente', 'Refusé', 'Non publié'], ['B', 'C', 'D']],
  ['phrases', 'statut', ['En ligne', 'Hors ligne', 'À valider', 'To be reviewed'], ['B', 'C', 'D']],
  ['words in Spanish', 'Estado', ['Publicada', 'Pendiente', 'Eliminada'], ['B', 'C']],
  ['words in Portuguese', 'Situação', ['Publicada', 'Em análise', 'Reprovada'], ['B', 'C']],
  ['words in Russian', 'Статус', ['Опубликован', 'На модерации', 'Не опубликовано'], ['B', 'C']],
  ['words in Polish', 'Status', ['Opublikowana', 'Oczekuje', 'Odrzucono', 'Zatwierdzony'], ['B', 'C']],
  ['words in Czech', 'Stav', ['Zveřejněno', 'Čeká na schválení', 'Zamítnuto'], ['B', 'C']],
  ['words in Turkish', 'Durum', ['Yayınlandı', 'Onay bekliyor', 'Yayınlanmadı'], ['B', 'C']],
  ['words in Finnish', 'Tila', ['Julkaistu', 'Odottaa', 'Ei julkaistu'], ['B', 'C']],
  ['words in Greek', 'Κατάσταση', ['Δημοσιευμένη', 'Σε αναμονή έγκρισης'], ['B']],
  ['words in Japanese', 'ステータス', ['公開', '非公開', '承認待ち'], ['B', 'C']],
  ['words in Chinese', '审核状态', ['已通过', '待审核', '未通过'], ['B', 'C']],
  ['words in Korean', '상태', ['게시됨', '대기중', '비공개'], ['B', 'C']],
  ['a Korean flag', '공개 여부', ['Y', 'N', '예', '아니오'], ['B', 'D']],
  ['an opposite in Japanese', '非公開', ['いいえ', 'はい'], ['B']],
  ['a flag in Hungarian', 'Közzétéve', ['igen', 'nem'], ['B']],
  ['what was answered, which hides none,', '상태', ['게시', '답변대기', '게시', '게시'], []],
  ['the same in Russian', 'Статус', ['Опубликован', 'Ожидает ответа', 'Опубликован'], []],
  ['a state of moderation', 'Status', ['Published', 'In moderation', 'Under review', 'Not spam'], ['B', 'C']],
  ['a flag that says nothing of one among others', 'is_public', ['yes', 'no', ''], ['B', 'C']],
  ['a choice for the website', 'PublicDisplayStatus', ['True', 'False'], ['B']],
  ['the same in other words', 'Show on website', ['Yes', 'No'], ['B']],
  ['a box of Airtable', 'Approved to publish', ['checked', '', 'checked'], ['B']],
  ['leave for one use', 'Use as testimonial', ['Yes', 'No'], ['B']],
  ['what a client agreed to', 'Approved by client', ['Yes', '', 'No'], ['B', 'C']],
  ['leave that was given', 'Permission granted', ['TRUE', 'FALSE'], ['B']],
  ['what can be published', 'Publishable', ['y', 'n'], ['B']],
  ['the same in German', 'Zur Veröffentlichung freigegeben', ['Ja', 'Nein'], ['B']],
  ['the same in Spanish', 'Puede publicarse', ['Sí', 'No'], ['B']],
  ['the same in Japanese', '掲載可', ['はい', 'いいえ'], ['B']],
  ['a wish to be kept private', 'Keep my feedback private', ['No', 'Yes'], ['B']],
  ['the same as a sentence', 'I would like my review to remain private', ['FALSE', 'TRUE'], ['B']],
  ['a plea', 'Please do not share this comment', ['', 'checked'], ['B']],
  ['what happened elsewhere, which hides none,', 'Shared by client', ['Yes', 'No'], []],
  ['where it was found, which hides none,', 'Website', ['Yes', 'No'], []],
  [
    'a form that keeps its own words beside the answer',
    'Consent (Text),Consent (Description),Consent (Consent)',
    ['I agree,,Checked', ',,'],
    ['B'],
  ],
  ['an acceptance', 'publicAccepted', ['true', 'false', ''], ['B', 'C']],
  ['the consent of a form', 'May we publish your answer?', ['Yes', 'No', ''], ['B', 'C']],
]
for (const [what, heading, cells, hidden] of COLUMNS) {
  test(`${what} hides what is not to be public`, async () => {
    assert.equal(await hiddenIn(table(heading, cells)), hidden)
  })
}

test('a number of each row below "#" hides none', async () => {
  assert.equal(await hiddenIn(table('#', ['0', '1', '2'])), [])
})

test('the state in which a customer lives hides none', async () => {
  assert.equal(await hiddenIn(table('State', ['NE', 'NE', 'NE'])), [])
  assert.equal(await hiddenIn(table('Status', ['OK', 'NO', 'OK'])), ['B'])
})

test('of several columns each can hide a row', async () => {
  const csv = table('active,is_public,archived', ['1,1,0', '0,1,0', '1,0,0', '1,1,1'])
  assert.equal(await hiddenIn(csv), ['B', 'C', 'D'])
})

test('a flag beside the columns of a known format is honoured', async () => {
  const csv =
    'title,body,rating,review_date,source,curated,reviewer_name,product_handle,hidden\n' +
    'T,Fine.,5,2026-01-05,web,ok,Ann,rye,false\nT,Bad.,1,2026-01-05,web,ok,Ben,rye,true\n'
  const prepared = await prepare(csv)
  assert.is(prepared.tables[0]?.plan.format.name, 'judgeme')
  assert.equal(await hiddenIn(csv), ['Ben'])
})

test('a column that is about nothing else hides words without a known meaning, and says so', async () => {
  const prepared = await prepare(table('moderation_status', ['approved', 'approved', 'stage 2']))
  assert.equal(
    prepared.rows.map((row) => row.hidden),
    [false, false, true],
  )
  assert.ok(prepared.warnings.some(({ code, message }) => code === 'unknown_status' && message.includes('stage 2')))
})

test('a status that may be about anything is reported where its words are not known', async () => {
  const some = await prepare(table('status', ['published', 'live', 'vip']))
  assert.ok(some.warnings.some(({ code, message }) => code === 'unread_status' && message.includes('vip')))
  const none = await prepare(table('status', ['answered', 'open']))
  assert.match(none.warnings[0]?.message ?? '', /column "status" has no known words .*"answered", "open"/)
  assert.equal((await prepare(table('state', ['TX', 'CA']))).warnings, [])
})

test('in a status of numbers that says 0 or 1, a third one is no leave to show: Oscar refuses with 2, Joomla archives with it', async () => {
  const stages = await prepare(table('status', ['1', '0', '2', '1']))
  assert.equal(
    stages.rows.map((row) => row.hidden),
    [false, true, true, false],
  )
  assert.ok(stages.warnings.some(({ code, message }) => code === 'unknown_status' && message.includes('status=2')))
  const codes = await prepare(table('status', ['200', '200', '404']))
  assert.is(codes.rows.filter((row) => row.hidden).length, 0, 'those of a web server')
})

test('what the numbers of a status mean is told where nothing in the file says so', async () => {
  const guessed = await prepare(table('status', ['1', '2', '1', '1']))
  assert.match(
    guessed.warnings[0]?.message ?? '',
    /"status" has numbers for words: 1 is taken for published, and rows with "2" are imported as hidden\. .* write words/,
  )
  const unknown = await prepare(table('status id', ['1', '2', '2', '3']))
  assert.match(unknown.warnings[0]?.message ?? '', /all rows are imported as shown\. If other numbers .* write words/)
  assert.equal((await prepare(table('status', ['1', '0', '1']))).warnings.length, 1, 'none but that one is hidden')
})

test('a legend in the heading says what the numbers mean', async () => {
  const legends: [heading: string, cells: string[], hidden: boolean[]][] = [
    ['"Status (1 = waiting, 2 = approved)"', ['1', '2', '1'], [true, false, true]],
    ['"Status [0:approved;1:draft;2:spam]"', ['1', '0', '2'], [true, false, true]],
    ['"Status (2: approved, 3: draft)"', ['2', '3', '2'], [false, true, false]],
    ['"Status (1 = oak, 2 = elm)"', ['1', '2', '1'], [false, true, false]],
  ]
  for (const [heading, cells, hidden] of legends) {
    const { rows } = await prepare(table(heading, cells))
    assert.equal(
      rows.map((row) => row.hidden),
      hidden,
      heading,
    )
  }
})

test('beside the words for its numbers a status of numbers is left alone', async () => {
  for (const [number, name] of [
    ['status', 'status_name'],
    ['status_id', 'status'],
    ['status.id', 'status.title'],
    ['state', 'state_label'],
  ])
    assert.equal(
      await hiddenIn(table(`${number},${name}`, ['1,Pending', '2,Approved', '1,Pending'])),
      ['A', 'C'],
      number,
    )
  assert.equal(
    await hiddenIn(table('status,status_note', ['1,later', '2,soon', '1,now'])),
    ['B'],
    'no words of a status',
  )
})

test('hidden rows are counted in a note', async () => {
  const { warnings } = await prepare(table('status', ['published', 'Pending']))
  assert.equal(
    warnings.map(({ code, count }) => [code, count]),
    [['hidden', 1]],
  )
  assert.match(warnings[0]?.message ?? '', /line 3 "Pending"/)
  const flagged = await prepare(table('published', ['true', 'false']))
  assert.match(flagged.warnings[0]?.message ?? '', /line 3 "published=false"/)
})

test('a review without a day of publication is hidden and has the day on which it was written', async () => {
  const days = async (csv: string, options = {}) =>
    (await prepare(csv, options)).rows.map(({ review, hidden }) => [
      review.occurred_at.toISOString().slice(0, 10),
      hidden,
    ])
  const csv =
    'Date,Published,Review\n2026-01-05,2026-01-07,Warm bread\n2026-01-06,,Slow tea\n2026-01-08,NULL,Cold soup\n'
  const expected = [
    ['2026-01-07', false],
    ['2026-01-06', true],
    ['2026-01-08', true],
  ]
  assert.equal(await days(csv), expected)
  const german =
    'Datum;Veröffentlicht am;Text\n05.01.2026;07.01.2026;Warmes Brot am Morgen\n06.01.2026;;Der Tee war kalt\n'
  assert.equal(await days(german), expected.slice(0, 2))
  const always = csv.replace('06,,', '06,2026-01-09,').replace('NULL', '2026-01-10')
  assert.equal(
    (await days(always)).map(([day]) => day),
    ['2026-01-07', '2026-01-09', '2026-01-10'],
  )
  const { warnings } = await prepare(`${always.trim().replaceAll('\n', ',zzz\n')},zzz\n`.replace('zzz', 'Status'))
  assert.match(warnings[0]?.message ?? '', /"Status" has no known words/)
  assert.match(warnings[1]?.message ?? '', /taken from "Published", and in rows without it, .* from "Date"/)
  assert.equal(
    (await days(csv, { map: { date: 'Date' } })).map(([day]) => day),
    ['2026-01-05', '2026-01-06', '2026-01-08'],
  )
})

test('what was done about a review, who it is by and what it agrees to by mail hide nothing', async () => {
  for (const [heading, cells] of [
    ['status', ['published', 'Awaiting reply']],
    ['verified', ['1', '0']],
    ['Marketing e-mail consent', ['yes', 'no']],
    ['is_featured', ['true', 'false']],
  ] satisfies [string, string[]][])
    assert.equal(await hiddenIn(table(heading, cells)), [], heading)
})

test('--map names the status column, or none', async () => {
  const csv = table('published,Freigabe', ['1,nein', '0,ja'])
  const by = async (status: string) => (await prepare(csv, { map: { status } })).rows.map((row) => row.hidden)
  assert.equal(await by('Freigabe'), [true, false])
  assert.equal(await by(''), [false, false])
})

test('only what a vendor says of a review is followed by one that is stored', async () => {
  const visibilities = async (content: string) => (await prepare(content)).rows.map((row) => row.visibility)
  assert.equal(await visibilities(table('status', ['Published', 'Pending', 'Blorbed'])), ['shown', 'hidden', undefined])
  assert.equal(await visibilities(table('moderation status', ['Published', 'Blorbed'])), ['shown', 'hidden'])
  assert.equal(await visibilities(table('deleted_at', ['', '2026-01-09'])), ['shown', 'hidden'])
  assert.equal(await visibilities(table('room', ['12', '14'])), [undefined, undefined])
})

test('a flag may be named with the word for the review before it', async () => {
  assert.equal(await hiddenIn(table('Feedback public', ['Yes', 'No'])), await hiddenIn(table('public', ['Yes', 'No'])))
  assert.equal(await hiddenIn(table('review_deleted', ['0', '1'])), await hiddenIn(table('deleted', ['0', '1'])))
  assert.is((await hiddenIn(table('Feedback public', ['Yes', 'No']))).length, 1)
  assert.is((await hiddenIn(table('review_deleted', ['0', '1']))).length, 1)
})

test('what was flagged, reported, withdrawn, rejected for a reason, or a test, is hidden', async () => {
  for (const heading of ['flagged', 'is_reported', 'withdrawn', 'is_test'])
    assert.equal(await hiddenIn(table(heading, ['true', 'false'])), ['A'], heading)
  assert.equal(await hiddenIn(table('rejection_reason', ['', 'profanity'])), ['B'])
})

test('a box to be ticked in a table of one’s own shows what is ticked', async () => {
  for (const heading of [
    'Publish',
    'Use on website',
    'Veröffentlichen',
    'Auf der Website zeigen',
    'Anzeigen',
    'Publier',
    'Afficher sur le site',
    'Publicar en la web',
    'Pubblicare sul sito',
    'Tonen op website',
    'Exibir no site',
  ]) {
    assert.equal(await hiddenIn(table(heading, ['ja', 'nein'])), ['B'], heading)
    assert.equal(await hiddenIn(table(heading, ['x', ''])), ['B'], heading)
  }
  for (const [yes, no] of [
    ['checked', ''],
    ['✓', '✗'],
    ['✅', '❌'],
    ['☑️', '☐'],
  ])
    assert.equal(await hiddenIn(table('Approved', [yes ?? '', no ?? ''])), ['B'], yes)
})

test('a box against publishing hides what is ticked', async () => {
  for (const heading of [
    'Do not publish',
    "Don't publish",
    'Not public',
    'Internal only',
    'Confidential',
    'Nicht veröffentlichen',
    'Vertraulich',
    'Ne pas publier',
    'No publicar',
    'Non pubblicare',
    'Niet publiceren',
  ]) {
    assert.equal(await hiddenIn(table(heading, ['', 'x'])), ['B'], heading)
    assert.equal(await hiddenIn(table(heading, ['no', 'yes'])), ['B'], heading)
  }
})

test('a dash is no word of a status', async () => {
  assert.equal(await hiddenIn(table('Status', ['Published', '-'])), [])
})

test('an address or a page below such a heading hides nothing', async () => {
  assert.equal(await hiddenIn(table('Website', ['https://a.example', 'https://b.example'])), [])
  assert.equal(await hiddenIn(table('Post', ['Bread at home', 'Tea in the hills'])), [])
})

test('a column that can be about nothing else hides a review in every known format, also one that has no such column', async () => {
  const { tables, rows, warnings } = await prepare(
    'created_time,review_text,rating,is_hidden\n2026-01-05,Warm bread again,5,false\n2026-01-05,Cold bread again,1,true\n',
  )
  assert.is(tables[0]?.plan.format.name, 'facebook')
  assert.equal(
    rows.map(({ hidden, review: { rating } }) => [hidden, rating]),
    [
      [false, 5],
      [true, 1],
    ],
  )
  assert.match(warnings.map(({ message }) => message).join(), /imported as hidden \(line 3 "is_hidden=true"\)/)
})

test('where the column of the text begins as those of its table do, so does the flag; not where others are of a customer', async () => {
  const mapped = (text: string, flag: string) =>
    prepare(`${text},made,${flag}\nWarm bread again,2026-01-05,1\nCold bread again,2026-01-05,0\n`, {
      map: { text, date: 'made' },
    })
  const hidden = async (text: string, flag: string) => (await mapped(text, flag)).rows.map((row) => row.hidden)
  assert.equal(await hidden('opn_words', 'opn_published'), [false, true])
  assert.equal(await hidden('opn_words', 'cust_active'), [false, false])
  assert.equal(await hidden('customer_words', 'customer_active'), [false, false])
})

test('what was said to the author, as a list, is no status whatever its words', async () => {
  const said = (words: string) => `"${JSON.stringify([{ origin: '1', comment: words }]).replaceAll('"', '""')}"`
  assert.equal(
    await hiddenIn(table('moderation', [said('Thank you.'), said('Your order was refused by the bank.'), ''])),
    [],
  )
})

test.run()
