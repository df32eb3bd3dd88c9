import * as assert from 'uvu/assert'
import { createBuiltinEmbedder } from '../../../server/embed/builtin/embedder.ts'
import { sharedModel } from '../../../server/embed/builtin/model-files.ts'
import { Tokenizer } from '../../../server/embed/builtin/tokenizer.ts'
import { cosineOf } from '../../../server/embed/calibrate.ts'
import { suite } from '../../suite.ts'

const test = suite('other languages of the builtin embedder')
const embedder = await createBuiltinEmbedder()
const FLOOR = 0.66
const WORD_TIER = 0.53

async function between(query: string, text: string): Promise<number> {
  const [[q], [d]] = await Promise.all([embedder.embed([query], 'query'), embedder.embed([text], 'document')])
  if (!q || !d) throw new Error('no vector')
  return cosineOf(q, d)
}
const isNearer = async (query: string, right: string, wrong: string) => {
  const [near, far] = [await between(query, right), await between(query, wrong)]
  assert.ok(near > far, `"${query}": ${near} for "${right}", ${far} for "${wrong}"`)
}
/** Whether a text is taken for English: its words are then left as they are. */
function isEnglish(text: string): boolean {
  const tokenizer = new Tokenizer()
  const count = tokenizer.tokenize(text)
  const read = sharedModel().model.englishWords(text)
  return read.count === count && tokenizer.hashes.slice(0, count).every((hash, i) => hash === read.hashes[i])
}

const CLEAN = {
  German: ['sauberes Zimmer', 'Unser Zimmer war sehr sauber.'],
  French: ['chambre propre', 'Notre chambre était très propre.'],
  Spanish: ['habitación limpia', 'Nuestra habitación estaba muy limpia.'],
  Italian: ['camera pulita', 'La nostra camera era molto pulita.'],
  Dutch: ['schone kamer', 'Onze kamer was heel schoon.'],
  Portuguese: ['quarto limpo', 'Nosso quarto estava muito limpo.'],
} as const

for (const [language, [query, sentence]] of Object.entries(CLEAN)) {
  test(`${language} and English find each other, and each itself`, async () => {
    assert.ok((await between(query, sentence)) >= FLOOR)
    assert.ok((await between(query, 'The room was very clean.')) >= FLOOR)
    assert.ok((await between('clean room', sentence)) >= FLOOR)
    assert.ok((await between('live music', sentence)) < 0.6)
    assert.ok((await between(query, 'The waiter forgot our drinks.')) < 0.6)
  })
}

test('a word whose English is rare means what that does', async () => {
  await isNearer('Psychotherapie', 'She is a patient psychotherapist.', 'A mob stood at the entrance.')
  await isNearer('Homöopathie', 'He also practises homeopathy.', 'The booking was simple.')
  await isNearer('motoscafo', 'We rented a motorboat.', 'We rented a bicycle.')
})

test('a word of another language stands for all of its English equivalents, which share its weight', () => {
  const read = sharedModel().model.englishWords('Der Ausflug ist seinen Preis wert, Krzyżanowski.')
  assert.is(read.language, 'de')
  const sharesOf = (word: number) => [...read.shares.slice(read.firsts[word], read.firsts[word + 1])]
  for (let word = 0; word < read.count; word++) {
    const sum = sharesOf(word).reduce((a, b) => a + b, 0)
    assert.ok(Math.abs(sum - 1) < 1e-9, `word ${word}: ${sum}`)
  }
  assert.ok(sharesOf(read.count - 2).length > 1, 'wert')
  assert.equal(sharesOf(read.count - 1), [1], 'a name')
})

test('languages that are not English find each other', async () => {
  for (const [query] of Object.values(CLEAN)) {
    for (const [, sentence] of Object.values(CLEAN)) {
      assert.ok((await between(query, sentence)) >= FLOOR, `${query}: ${sentence}`)
    }
  }
})

test('a compound is the two words it is made of', async () => {
  await isNearer('Frühstücksterrasse', 'We had breakfast on the terrace.', 'The bed was soft.')
  await isNearer('Hotelparkplatz', 'Parking at the hotel was easy.', 'The soup was cold.')
  await isNearer('ontbijtzaal', 'The breakfast hall was bright.', 'The lift was broken.')
})

test("a part may be an English word, a short one, a verb's stem, another form or a compound itself", async () => {
  for (const [query, text] of [
    ['Soundqualität', 'The sound quality is good.'],
    ['dakterras', 'There is a roof terrace.'],
    ['Liefertermin', 'They kept the date of delivery.'],
    ['Entspannungsmassage', 'A relaxing massage.'],
    ['Gartenmöbelreinigung', 'They cleaned our garden furniture.'],
  ] as const) {
    assert.ok((await between(query, text)) >= FLOOR, `${query}: ${text}`)
  }
})

test('several words in a row that mean something else, and headings of trades', async () => {
  for (const [query, text] of [
    ['en plein air', 'We sat outdoors.'],
    ['tout compris', 'All inclusive.'],
    ['fatto a mano', 'Handmade.'],
    ['llave en mano', 'The house was complete and ready.'],
    ['Schädlingsbekämpfung', 'Pest control came at once.'],
    ['gezichtsbehandeling', 'The facial was great.'],
    ['limpeza de pele', 'The facial was great.'],
  ] as const) {
    assert.ok((await between(query, text)) >= FLOOR, `${query}: ${text}`)
  }
})

test('forms that no dictionary lists, and umlauts written without dots', async () => {
  assert.ok((await between('clean room', 'In dem saubersten Zimmer.')) >= FLOOR)
  assert.equal(await between('breakfast', 'Fruehstueck'), await between('breakfast', 'Frühstück'))
})

test('plurals, and verbs that hold a pronoun', async () => {
  for (const [query, text] of [
    ['cookies', 'Biscotti fatti in casa.'],
    ['trays', 'bandejas'],
    ['give me', 'darmi'],
  ] as const) {
    assert.ok((await between(query, text)) >= FLOOR, `${query}: ${text}`)
  }
})

test('what is said every day in Italian and Portuguese', async () => {
  for (const [text, meaning] of [
    ['Avrei dovuto chiedere prima.', 'I should have asked before.'],
    ['Fiquei com medo de cair.', 'I was afraid of falling.'],
    ['Levou uma hora para chegar.', 'It took an hour to arrive.'],
    ['Alguém roubou a minha bolsa.', 'Someone stole my bag.'],
  ] as const) {
    assert.ok((await between(meaning, text)) >= 0.8, `${meaning}: ${text}`)
  }
})

test('several words that are one thing: café da manhã, petit déjeuner', async () => {
  assert.ok((await between('breakfast', 'O café da manhã era ótimo.')) >= FLOOR)
  await isNearer('coffee', 'O café era ótimo.', 'O café da manhã era ótimo.')
  assert.ok((await between('breakfast', 'Le petit déjeuner était copieux.')) >= FLOOR)
})

test('words that reviews use in a sense of their own', async () => {
  await isNearer('trato excelente', 'Nos atendieron muy bien.', 'El intento fue excelente.')
  await isNearer('plats copieux', 'Generous dishes.', 'The dishes were a copy.')
  await isNearer('taglia giusta', 'The size is right.', 'The cut is right.')
  for (const [query, text] of [
    ['a case for the phone', 'Una custodia per il telefono.'],
    ['starters and desserts', 'Les entrées et les desserts.'],
    ['rustic atmosphere', 'Urige Atmosphäre.'],
    ['value for money', 'Relación calidad-precio de 10.'],
    ['we will return', 'Volveremos.'],
    ['soggy fries', 'Zompige frietjes.'],
    ['delivered on time', 'Entregue no prazo.'],
  ] as const) {
    assert.ok((await between(query, text)) >= FLOOR, `${query}: ${text}`)
  }
})

test('what pages are headed with is what they are headed with in English', async () => {
  const headings: [string, string][] = [
    ['Seeblick', 'The room had a view of the lake.'],
    ['Chambres et suites', 'Lovely rooms and suites.'],
    ['Piscina cubierta', 'The indoor pool was warm.'],
    ['Visite guidate', 'The guided tour was excellent.'],
    ['Tweepersoonskamer', 'Our double room was big.'],
    ['Meia pensão', 'We had half board.'],
    ['Da asporto', 'Great takeaway.'],
  ]
  for (const [heading, review] of headings) assert.ok((await between(heading, review)) > WORD_TIER, heading)
})

test('a word that English has and the language does not keeps its meaning', async () => {
  for (const [query, text] of [
    ['fast check-in', 'El check-in fue muy rápido.'],
    ['free valet', 'El valet es gratuito para los clientes.'],
    ['resorts', 'Uno de los mejores resorts de la zona.'],
    ['penne', 'Las penne estaban muy ricas.'],
  ] as const) {
    assert.ok((await between(query, text)) >= FLOOR, `${query}: ${text}`)
  }
})

test('negation turns what it turns in English', async () => {
  await isNearer('the room was not clean', 'Das Zimmer war nicht sauber.', 'Das Zimmer war sauber.')
  await isNearer('clean room', "L'hôtel a une chambre propre.", "La chambre n'était pas propre.")
})

test('words with an accent are not mended into English ones', async () => {
  await isNearer('fácil de encontrar', 'It was easy to find.', 'The facial at the spa was lovely.')
  await isNearer('bon café', 'Good coffee.', 'Bonfire at the cafeteria.')
})

test('what English apostrophe rules would make of other languages', async () => {
  // "im" is no "I am", "dont" no "do not", and "dell'albergo" is about the hotel
  await isNearer('Restaurant im Hotel', 'The restaurant in the hotel.', 'I am a restaurant.')
  assert.ok((await between('hotel staff', "Il personale dell'albergo.")) >= FLOOR)
})

test('English is read as English, also where another language has its words', () => {
  for (const text of [
    'A man is dancing.',
    'Check in was fast.',
    'No free internet.',
    'How is the water?',
    'A die hard fan of this bar',
    'Great tapas bar, super location',
    'menu',
    'The chef sent a gift.',
    'Ambiance is on point.',
    'fast wifi',
    'hot bad old hotel',
    'no parking',
  ]) {
    assert.ok(isEnglish(text), text)
  }
})

/** A heading of one word, a sentence that has it, and the languages of the other excerpts. */
const HEADINGS = [
  ['Teller', 'Die Teller waren leider kalt.', 'de'],
  ['Toilette', 'Die Toilette im Erdgeschoss war sehr gepflegt.', 'de'],
  ['Primeur', 'Un primeur très aimable.', 'fr'],
  ['Patatas', 'Las patatas estaban muy ricas y crujientes.', 'es'],
  ['Setas', 'Las setas estaban muy ricas.', 'es'],
  ['Aglio', 'Troppo aglio nella salsa.', 'it'],
  ['Estúdio', 'O estúdio era limpo e bem localizado.', 'pt'],
  ['Theewinkel', 'Een leuke theewinkel met veel keuze.', 'nl'],
] as const

test('a single word that several languages have is read in each, and first in the language of the excerpts', async () => {
  for (const [heading, sentence, language] of HEADINGS) {
    const [document = []] = await embedder.embed([sentence], 'document')
    const near = async (languages: string[]) => {
      const [query = []] = await embedder.embed([heading], 'query', undefined, languages)
      return cosineOf(query, document)
    }
    const [anyone, theirs] = [await near([]), await near(['en', language])]
    assert.ok(anyone >= WORD_TIER, `${heading}: ${anyone}`)
    assert.ok(theirs >= FLOOR - 0.02, `${heading}: ${theirs} among ${language}`)
  }
  assert.ok((await between('Teller', 'The teller at the bank was very patient.')) >= FLOOR)
})

test('what reviews say in English is English, whatever the language of the excerpts', async () => {
  for (const query of ['clean rooms', 'friendly service', 'is there parking?', 'Teller machine in the lobby']) {
    const [own] = await embedder.embed([query], 'query')
    assert.equal(await embedder.embed([query], 'query', undefined, ['de', 'fr', 'nl']), [own], query)
  }
})

test('a word that the language of its sentence lacks is found by its spelling, or by what it is in English', async () => {
  assert.ok((await between('Kajaks', 'Die Kajaks sind neu und leicht.')) >= WORD_TIER)
  assert.ok((await between('Optometrist', 'De optometrist nam de tijd en legde alles uit.')) >= FLOOR)
})

test('an English text with a word of another language keeps both', async () => {
  assert.ok((await between('ham', 'The jamon was good.')) > (await between('ham', 'The jqmxn was good.')))
})

/** Danish, Indonesian and Turkish: the model knows none of them, but some of their words as those of another language. */
const UNKNOWN = [
  'Omklædningsrummet var rent, og træneren viste mig maskinerne.',
  'Kamarnya bersih sekali dan pelayanannya sangat ramah.',
  'Kumaşı çok güzel, kargo hızlı geldi, teşekkür ederim.',
]

test('the languages that a text may be in are few, and all when its words are everybody’s or nobody’s', () => {
  const { languages } = embedder
  const common = (a: string, b: string) => ((languages?.possible(a) ?? 0) & (languages?.possible(b) ?? 0)) !== 0
  const sentences = Object.values(CLEAN).map(([, sentence]) => sentence)
  for (const [i, a] of sentences.entries()) {
    for (const [k, b] of sentences.entries()) assert.is(common(a, b), i === k, `${a} ${b}`)
    assert.is(common(a, 'Our room was very clean.'), false, a)
    for (const text of ['sauna', 'pizza', '湖を眺めながらのサウナ', '', ...UNKNOWN])
      assert.is(common(a, text), true, `${a} ${text}`)
  }
})

test('it knows the words of seven languages, and of no other that frequent words or a script tell', () => {
  const knows = embedder.languages?.knows ?? assert.unreachable
  for (const text of [
    ...Object.values(CLEAN).map(([, sentence]) => sentence),
    'Our room was very clean.',
    'sauna',
    '👍',
    '',
  ])
    assert.is(knows(text), true, text)
  for (const text of [
    'Pokój był cichy i bardzo czysty.',
    'Rent rum och god mat',
    'Kamar rapi dan bersih',
    'Номер чистый',
    '部屋は静かでした',
  ])
    assert.is(knows(text), false, text)
  assert.is(knows('Wi-Fi was fast, and the 朝食 was great.'), true)
})

test.run()
