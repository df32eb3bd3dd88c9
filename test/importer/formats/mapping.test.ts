import * as assert from 'uvu/assert'
import { parseMapArguments, parseMapping } from '../../../src/importer/formats/mapping.ts'
import { ImporterError } from '../../../src/importer/importer-error.ts'
import { suite } from '../../suite.ts'
import { prepare, refusalOf, reviewOf, reviewsOf } from '../prepared.ts'

const test = suite('mapping')

const HEADERS: [string, string][] = [
  ['English', 'Created At,Customer Feedback,Overall Rating,Full Name,Link'],
  ['German', 'Datum,Bewertungstext,Sterne,Name,Link'],
  ['German, one word for both', 'Erstellt am,Kommentar,Bewertung,Kundenname,Bewertungslink'],
  ['French', "Date de publication,Texte de l'avis,Note,Nom du client,Lien"],
  ['Spanish', 'Fecha,Reseña,Calificación,Nombre,Enlace'],
  ['Italian', 'Data,Recensione,Punteggio,Nome cliente,Collegamento'],
  ['Dutch', 'Datum,Opmerking,Beoordeling,Naam,Link'],
  ['Portuguese', 'Data da avaliação,Comentário,Classificação,Nome do cliente,Link'],
]
for (const [language, header] of HEADERS) {
  test(`headers in ${language} need no mapping`, async () => {
    const review = await reviewOf(`${header}\n2026-01-05,"Warm bread, warmer welcome.",4,Jo,https://example.com/1\n`)
    assert.is(review.text, 'Warm bread, warmer welcome.')
    assert.is(review.rating, 4)
    assert.is(review.author_name, 'Jo')
    assert.is(review.url, 'https://example.com/1')
    assert.is(review.occurred_at.toISOString(), '2026-01-05T00:00:00.000Z')
  })
}

test('a word that means a rating or a text is decided by the cells', async () => {
  const rating = await reviewOf('Datum,Bewertung,Text\n2026-01-05,4,Gut.\n')
  assert.is(rating.rating, 4)
  assert.is(rating.text, 'Gut.')
  const text = await reviewOf('Datum,Bewertung,Sterne\n2026-01-05,Sehr gut und schnell.,4\n')
  assert.is(text.text, 'Sehr gut und schnell.')
  assert.is(text.rating, 4)
})

test('a rating column with nothing readable is still the rating column: its rows are skipped, not imported unrated', async () => {
  const prepared = await prepare('date,text,rating\n2026-01-05,One.,80%\n2026-01-05,Two.,splendid\n')
  assert.equal(
    prepared.skipped.map((row) => row.reason),
    ['bad_rating', 'bad_rating'],
  )
})

test('--map names columns, whatever they are called, and an empty one leaves a field out', async () => {
  const csv = 'when,said,pts,ref\n2026-01-05,Fine.,4,a-1\n'
  assert.is(await refusalOf(() => prepare(csv)), 'mapping_needed')
  const review = await reviewOf(csv, { map: parseMapArguments(['text=said', 'date="when"', 'rating=PTS', 'id=ref']) })
  assert.is(review.external_id, 'a-1')
  assert.is(review.rating, 4)
  const hashed = await reviewOf('id,date,text\n7,2026-01-05,Fine.\n', { map: { id: '' } })
  assert.match(hashed.external_id, /^h1-/)
})

test('a missing column is asked for with a guess of which it could be', async () => {
  try {
    await prepare('wann,was jemand dazu schrieb\n2026-01-05,Das Brot war warm und der Empfang auch.\n')
    assert.unreachable()
  } catch (error) {
    assert.ok(error instanceof Error)
    assert.match(error.message, /--map text="was jemand dazu schrieb" --map date="wann"/)
  }
})

test('a column that is not there is refused by listing those that are', async () => {
  assert.is(
    await refusalOf(() => prepare('date,text\n2026-01-05,x\n', { map: { author: 'nobody' } })),
    'unknown_column',
  )
  assert.is(await refusalOf(() => prepare('date,text\n2026-01-05,x\n', { metadata: ['nothing'] })), 'unknown_column')
})

test('--metadata keeps all other columns, named ones or none, with keys for a page', async () => {
  const csv = "date,text,title,Club's Name,E-mail,Size\n2026-01-05,Fine.,T,North,a@b.example,L\n"
  assert.equal((await reviewOf(csv)).metadata, { title: 'T' })
  assert.equal((await reviewOf(csv, { metadata: 'all' })).metadata, { title: 'T', club_s_name: 'North', size: 'L' })
  assert.equal((await reviewOf(csv, { metadata: ['size'] })).metadata, { size: 'L' })
  assert.is((await reviewOf(csv, { metadata: 'none' })).metadata, undefined)
})

test('what is private is kept as metadata only when it is named', async () => {
  const csv =
    'date,text,Private feedback,Internal notes,Last name,Order number,Branch\n2026-01-05,Fine.,The boiler rusts,VIP,Doe,1001,North\n'
  assert.equal((await reviewOf(csv, { metadata: 'all' })).metadata, { branch: 'North' })
  assert.equal((await reviewOf(csv, { metadata: ['Order number'] })).metadata, { order_number: '1001' })
})

test('keys that meet stay apart, and long values are cut with a warning', async () => {
  const prepared = await prepare(`date,text,a-b,a b\n2026-01-05,Fine.,1,${'😀'.repeat(300)}\n`, { metadata: 'all' })
  const metadata = prepared.rows[0]?.review.metadata ?? {}
  assert.is(metadata.a_b, '1')
  assert.is(metadata.a_b_2?.length, 511)
  assert.ok(metadata.a_b_2?.endsWith('😀…'))
  assert.ok(prepared.warnings.some((warning) => warning.code === 'metadata_cut'))
})

test('more than 32 metadata columns are cut to what the service takes', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `extra${index}`)
  const review = await reviewOf(`date,text,${names}\n2026-01-05,Fine.,${names}\n`, { metadata: 'all' })
  assert.is(Object.keys(review.metadata ?? {}).length, 32)
})

test('a row of which one thing is to be told several times counts once', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `extra${index}`)
  const csv = `date,text,${names}\n2026-01-05,Fine.,${names}\n2026-01-06,Good.,${names}\n`
  const { warnings } = await prepare(csv, { metadata: 'all' })
  assert.is(warnings.find((warning) => warning.code === 'metadata_cut')?.count, 2)
})

test('--source wins over the profile and over a source column', async () => {
  const reviews = await reviewsOf('date,text,source\n2026-01-05,One.,Google\n2026-01-05,Two.,FB\n', { source: 'yelp' })
  assert.equal(
    reviews.map((review) => review.source),
    ['yelp', 'yelp'],
  )
})

test('a saved mapping is read strictly and written back', () => {
  const file = { profile: 'generic', map: { text: 'A', date: 'B' }, metadata: ['C'], source: 'yelp', day_first: true }
  assert.equal(parseMapping(file), file)
  for (const wrong of [null, [], { maps: {} }, { map: { txt: 'A' } }, { metadata: 'some' }, { source: 'bing' }]) {
    try {
      parseMapping(wrong)
      assert.unreachable(JSON.stringify(wrong))
    } catch (error) {
      assert.match(error instanceof Error ? error.message : '', /mapping is not valid/)
    }
  }
})

test('a --map that names no field is refused', async () => {
  for (const argument of ['txt=A', 'text', '=A'])
    assert.is(await refusalOf(async () => parseMapArguments([argument])), 'bad_mapping')
  assert.is(await refusalOf(async () => parseMapArguments(['text=Pros', 'text=Cons'])), 'bad_mapping')
  assert.equal(parseMapArguments(['text=Pros', 'text="Pros"']), { text: 'Pros' })
})

test('each finding on a mapping says what the field must be', () => {
  for (const [mapping, finding] of [
    [{ rating_scale: 1 }, 'rating_scale must be a whole number from 2 to 100'],
    [{ rating_scale: 4.5 }, 'rating_scale must be a whole number from 2 to 100'],
    [{ missing: 'x' }, 'missing must be one of list, hide, hide-many'],
    [{ map: { text: 'a'.repeat(1_001) } }, 'map.text must have at most 1,000 characters'],
    [{ encoding: 'a'.repeat(41) }, 'encoding must be an encoding, such as "windows-1250"'],
  ] satisfies [unknown, string][])
    assert.throws(
      () => parseMapping(mapping),
      (error: unknown) => error instanceof ImporterError && error.message === `The mapping is not valid: ${finding}.`,
      finding,
    )
})

test.run()
