import * as assert from 'uvu/assert'
import { createBuiltinEmbedder } from '../../../server/embed/builtin/embedder.ts'
import { suite } from '../../suite.ts'

const test = suite('how much of a query a text says')
const { coverage } = await createBuiltinEmbedder()
const saidBy = (query: string, ...texts: string[]): number[] => {
  if (!coverage) throw new Error('the model compares no words')
  return coverage.ask(query).coverage(texts.map((text) => coverage.read(text)))
}
const said = (query: string, text: string): number => saidBy(query, text)[0] ?? 0
/** @param languages those of the texts */
const saidIn = (query: string, languages: string[] | undefined, text: string): number =>
  coverage?.ask(query, languages).coverage([coverage.read(text)])[0] ?? 0

/** @param less what says less of the query than `more` does */
function saysMore(query: string, more: string, less: string): void {
  const [much = 0, little = 0] = saidBy(query, more, less)
  assert.ok(much > little + 0.05, `${query}: ${much}, ${little}`)
}

test('all of it is 1, in whatever order, and nothing of it hardly anything', () => {
  assert.is(said('cheap lunch', 'Lunch is cheap here.'), 1)
  assert.ok(said('cheap lunch', 'Our flight was delayed.') < 0.4)
  assert.is(said('...', 'Lunch is cheap here.'), 1)
})

test('the thing without its quality is less than both', () => {
  saysMore('cheap lunch', 'An inexpensive lunch', 'A nice place if you are around for lunch')
  saysMore('strong coffee', 'The coffee is strong', 'The coffee is always delicious')
  saysMore('lobster risotto', 'a risotto with lobster', 'calamari and scallops with onion jam')
  saysMore('manicure that lasts', 'my manicure lasted for weeks', 'my manicure was pretty')
})

test('what most texts say tells little, what few say much', () => {
  const both = ['It was cheap', 'The lunch was large']
  const amongLunches = saidBy('cheap lunch', ...both, 'We had lunch', 'Lunch was late', 'a lunch for two')
  const amongBargains = saidBy('cheap lunch', ...both, 'It is cheap', 'a cheap place', 'cheap as well')
  const gain = (text: number) => (amongLunches[text] ?? 0) - (amongBargains[text] ?? 0)
  assert.ok(gain(0) > 0.1 && gain(1) < -0.1, `${gain(0)}, ${gain(1)}`)
  for (const some of [[], ['…'], ['…', '…']]) {
    assert.ok(saidBy('cheap lunch', ...some).every((one) => one >= 0 && one <= 1))
  }
})

test('what a query turns on counts for more than what it is put with', () => {
  saysMore('do you happen to know whether parking is difficult', 'Parking is difficult', 'Do you happen to know them')
})

test('a few words want one side, a question takes both', () => {
  saysMore('free wifi', 'The wifi is free', 'The wifi is not free')
  saysMore('quiet room', 'a calm room', 'a loud room')
  assert.ok(said('is the room quiet?', 'The room is not quiet') > said('quiet room', 'The room is not quiet') + 0.3)
})

test('a word that the model does not know counts when it stands there as it is', () => {
  saysMore('qwxzt massage', 'a qwxzt massage', 'a massage')
})

test('names in a query hardly count', () => {
  assert.ok(said('How is the soup at Salty Sailor?', 'The soup was hot') > 0.6)
})

test('words of other languages are those that they stand for', () => {
  assert.ok(said('ruhiges Zimmer', 'The room was quiet') > 0.75)
  assert.ok(said('quiet room', 'Das Zimmer war ruhig') > 0.95)
  saysMore('quiet room', 'Das Zimmer war ruhig', 'Das Zimmer war nicht ruhig')
})

test('a text with the very word covers it better than one with another word for the same', () => {
  saysMore('Weinkarte', 'Eine gute Weinkarte haben sie hier', 'Einen guten Wein haben sie hier')
  saysMore('relación calidad-precio', 'Una relación calidad-precio muy buena', 'Buen valor, gastamos poco dinero')
  saysMore('relación calidad-precio', 'Buen valor, gastamos poco dinero', 'Gastamos poco dinero')
  saysMore('sfeer', 'De sfeer was heel goed', 'De atmosfeer was heel goed')
})

test('a single word of a heading is read in the language of the reviews', () => {
  const covered = (languages?: string[]) => saidIn('Teller', languages, 'Nice plates')
  assert.ok(covered(['de']) > covered() + 0.3)
  assert.ok(saidIn('Lunchkaart', undefined, 'Het menu voor de lunch was goed') > 0.5)
})

test('a quality is said by its adjective', () => {
  saysMore('Affordability', 'Good food and affordable prices', 'Good food and many prices')
  saysMore('Pünktlichkeit', 'Der Monteur war sehr pünktlich', 'Der Monteur war sehr freundlich')
})

test('the same word is the same where query and text are read in different languages', () => {
  // Alone these are read as English, or in the wrong one of the seven.
  for (const [query, text] of [
    ["l'addition", "L'addition était correcte"],
    ['personnel', 'Le personnel est parfait'],
    ['service lent', 'Le service est lent'],
    ['billigt abonnement', 'Et billigt abonnement uden binding'],
  ] as const) {
    assert.is(said(query, text), 1, query)
  }
  saysMore('service lent', 'Le service est lent', 'Le service est rapide')
  saysMore('personnel', 'Le personnel est parfait', 'Pas de personnel')
})

const doubted = (query: string, ...texts: string[]) =>
  coverage?.ask(query).doubt(texts.map((text) => coverage.read(text)))
const HOTEL = [
  'The french fries were hot',
  'Too cold to enjoy',
  'The winner was the cheese plate',
  'We rented a car',
  'quiet',
]

test('a query about what no text near it says is doubted, whatever else they share', () => {
  for (const query of [
    'french revolution causes',
    'cold war espionage',
    'basketball playoffs',
    'fish species migration',
  ]) {
    const doubt = doubted(query, ...HOTEL)
    assert.ok(doubt, query)
    assert.ok(doubt.lessen(0.8) < 0.66, `${query}: ${doubt.lessen(0.8)}`)
    assert.ok(doubt.words.length > 0)
  }
  assert.equal(doubted('basketball playoffs', ...HOTEL)?.words, ['basketball', 'playoffs'])
})

test('where a text says it, it is not', () => {
  assert.is(doubted('french revolution causes', 'A hall about the French Revolution and what caused it'), undefined)
  assert.is(doubted('basketball playoffs', 'We watched the basketball playoffs at the bar'), undefined)
})

test('where a text says that it was not so, neither', () => {
  assert.is(doubted('pain', 'No pain at all, and afterwards we had lunch', 'The staff was kind'), undefined)
  assert.is(doubted('Angst', 'Ich hatte keine Angst mehr.', 'Das Team war freundlich.'), undefined)
  assert.ok(doubted('basketball playoffs', 'No pain at all'))
})

test('where reviews speak of such things themselves, none of them is strange', () => {
  const office = ['They handled our divorce without drama', 'She won custody for me', 'Six weeks for a visa']
  assert.is(doubted('divorce attorney', ...office), undefined)
  assert.ok(doubted('divorce attorney', ...HOTEL))
})

test('what guests ask of a business is not doubted for its words, nor for a name or a slip in it', () => {
  for (const query of [
    'is there parking?',
    'wheelchair access',
    'lobster risotto',
    'is the brekfast good',
    'ruhiges Zimmer',
  ]) {
    assert.is(doubted(query, 'The staff was kind', 'We liked the room'), undefined, query)
  }
  assert.is(doubted('does the Zorblax Inn have a quiet garden', 'A quiet place with a garden'), undefined)
})

test('the kind of page in the query that a page derives is no topic of it', () => {
  for (const query of ['Blog – Bread from our oven', 'Category: Bread', 'Bread – Page 2', 'Kategorie: Brot']) {
    assert.is(doubted(query, 'Warm bread every morning', 'We liked the room'), undefined, query)
  }
})

test('doubt raises no cosine, and keeps their order', () => {
  const lessen = doubted('basketball playoffs', ...HOTEL)?.lessen
  if (!lessen) throw new Error('not doubted')
  const cosines = [-0.2, 0, 0.3, 0.41, 0.53, 0.66, 0.9, 1]
  const lessened = cosines.map(lessen)
  assert.ok(lessened.every((one, i) => one <= (cosines[i] ?? 0)))
  assert.equal(
    lessened,
    lessened.toSorted((a, b) => a - b),
  )
})

test.run()
