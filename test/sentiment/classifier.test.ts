import * as assert from 'uvu/assert'
import { createSentimentClassifier, createToneReader } from '../../server/sentiment/classifier.ts'
import type { Sentiment } from '../../src/contract/review.ts'
import { suite } from '../suite.ts'

const test = suite('sentiment classifier')
const classify = createSentimentClassifier()
const tone = createToneReader()

const JUDGED: Record<Sentiment, string[]> = {
  positive: [
    'Great place, friendly people and wonderful food.',
    'Not bad at all!',
    'No complaints, everything worked.',
    'We have never had a bad meal here.',
    'You will not be disappointed.',
    'We were not disappointed.',
    'The mattress has never felt better.',
    '👍',
    'The room was not expensive and spotless too.',
    'Delivered the next day, works perfectly.',
    'Ich weiß nicht, but it was amazing 😀',
  ],
  negative: [
    'Terrible service and cold food.',
    'I would not go back.',
    'Not good.',
    'The staff were not friendly and the room was not clean.',
    'Never again.',
    "Don't waste your money.",
    'It stopped working after two days and nobody answered.',
    'Nothing worked, there was no hot water.',
    'We waited an hour and left hungry.',
    'We were so disappointed.',
    'Too many complaints to list.',
    '👎',
  ],
  neutral: ['', '...', 'It was okay, nothing special.', 'Average.', 'Neither good nor bad.'],
}

const misjudged = (texts: string[], expected: string) => texts.filter((text) => classify(text) !== expected)

for (const [expected, texts] of Object.entries(JUDGED)) {
  test(`tells what is ${expected}`, () => {
    assert.equal(misjudged(texts, expected), [])
  })
}

test('what guests did not like, and what shops did not keep, is blame, however short and in whichever language', () => {
  const blame = [
    'I did not like the smell',
    'We didn’t like the food',
    'Late delivery',
    'It was delivered two weeks late',
    'I wrote three times without an answer',
    'I have not received my parcel',
    'Two screws are missing',
    'Hat mir nicht gefallen',
    'Ohne Rechnung geliefert',
    'Me enviaron el producto equivocado',
    'Nous n’avons pas aimé le repas',
    'Prodotto sbagliato',
    'Mai più',
    'Nooit meer',
    'Não gostei',
    'Veio sem nota fiscal',
  ]
  assert.equal(misjudged(blame, 'negative'), [])
  const praise = [
    'We were allowed a late check-out',
    'Open late, which we loved',
    'Without any delay',
    'Something different for once, great idea',
  ]
  assert.equal(misjudged(praise, 'positive'), [])
})

test('what other languages say is little, must improve or was sent back is blame there, and what lacks nothing is praise', () => {
  const blame = [
    'Personale poco disponibile',
    'Pochi prodotti freschi',
    'Il bagno è da ristrutturare',
    'Colazione scarsa e caffè imbevibile',
    'Un trato poco amable',
    'Una app muy mejorable',
    'Todo mentira',
    'Son unos ladrones',
    'Un accueil peu chaleureux',
    'La qualité est nulle',
    'Wenig freundliche Bedienung',
    'Passt nicht',
    'Finger weg',
    'Weinig vriendelijk personeel',
    'Um atendimento pouco simpático',
  ]
  assert.equal(misjudged(blame, 'negative'), [])
  const praise = [
    'Tutt’altro che caro',
    'A due passi dal centro',
    'Niente da dire',
    'Ninguna incidencia',
    'Una gestión ágil',
    'Rien à redire',
    'Probleemloos',
  ]
  assert.equal(misjudged(praise, 'positive'), [])
})

test('what Portuguese reviews pity, find reheated or that will not turn on is blame, and what leaves nothing to complain of is praise', () => {
  const blame = [
    'Uma pena o frango requentado',
    'O atendimento é precário',
    'Chegou partido',
    'A câmera não liga',
    'Sushi ruim e arroz empapado, tive nojo',
  ]
  assert.equal(misjudged(blame, 'negative'), [])
  const praise = ['Não tem do que reclamar', 'Não me arrependi', 'Mesa farta', 'Um lugar imperdível', 'O app está show']
  assert.equal(misjudged(praise, 'positive'), [])
})

test('short disappointment is negative, and its negation is not', () => {
  const short = [
    'I was disappointed.',
    'I was disappointed',
    'A let down',
    'What a disappointment',
    'never again',
    'Disappointed.',
  ]
  assert.equal(misjudged(short, 'negative'), [])
  assert.is(classify('I was not disappointed'), 'positive')
})

const ELSEWHERE: [text: string, expected: Sentiment][] = [
  ['Wunderbares Hotel, sehr freundliches Personal und ein leckeres Frühstück.', 'positive'],
  ['Das Zimmer war schmutzig und das Personal unfreundlich.', 'negative'],
  ['Das Zimmer war nicht sauber.', 'negative'],
  ['Excellent restaurant, personnel très sympathique et plats délicieux.', 'positive'],
  ['Service très lent, serveurs désagréables, à éviter.', 'negative'],
  ['Excelente servicio y comida deliciosa.', 'positive'],
  ['No lo recomiendo, muy caro y sucio.', 'negative'],
  ['Ottimo albergo, personale gentile e colazione abbondante.', 'positive'],
  ['Camera sporca e personale scortese.', 'negative'],
  ['Heerlijk gegeten en zeer vriendelijke bediening.', 'positive'],
  ['De kamer was vies en het personeel onbeleefd.', 'negative'],
  ['Ótimo atendimento e comida maravilhosa.', 'positive'],
  ['Não recomendo, quarto sujo.', 'negative'],
  // The best and the worst are no plain good and bad, and "slechts" is "only".
  ['Slechts twee kamers, maar met de beste bedden van de stad.', 'positive'],
  ['La mejor peluquería de la ciudad, volveremos.', 'positive'],
  ['A melhor padaria do bairro, voltaremos.', 'positive'],
  ['Une perte de temps, on ne reviendra pas.', 'negative'],
  // A negation behind what it denies.
  ['Het matras is hard en het licht werkt niet.', 'negative'],
  ['Je ne recommande pas ce garage.', 'negative'],
  // What Brazilian shoppers write, with and without accents.
  ['n gostei do tecido', 'negative'],
  ['Produto fraco, veio com a alça descascando', 'negative'],
  ['Sem defeitos, mto bom, chegou antes do prazo.', 'positive'],
]
test('reviews in six other languages are judged by what their words mean', () => {
  assert.equal(
    ELSEWHERE.filter(([text, expected]) => classify(text) !== expected),
    [],
  )
})

const UNREAD = [
  'スタッフの対応が丁寧で親切でした。最高でした！',
  '房间很脏，再也不来了。',
  '직원들이 매우 친절했습니다.',
  'Номер был грязный, и завтрак холодный.',
  'الموظفون ودودون للغاية',
  'Śniadanie było pyszne, zwłaszcza świeże pieczywo.',
  'Hyvä aamiainen, ystävällinen henkilökunta',
  // all or most of these words look like English or Spanish ones
  'Mantap sotonya',
  'Bra mat och fin service',
  'Rent rum, sent men bra',
  'Nu recomand, produs slab',
]
test('a text in a language that it does not read is neutral, without a tone and without a wish', () => {
  assert.equal(
    UNREAD.filter((text) => classify(text) !== 'neutral' || classify(text, 'excerpt') !== 'neutral'),
    [],
  )
  assert.equal(
    UNREAD.filter((text) => tone.of(text) !== 0 || tone.wishedBy(text) !== 0),
    [],
  )
})

test('names and slips in an English text are no other language', () => {
  assert.is(classify('Mandoori was awful'), 'negative')
  assert.is(classify('Our stay at Tarnholm Lochside was wonderfull, thanks to Aoife and Siobhán'), 'positive')
})

test('the tone of a text is that of its verdict', () => {
  const wrong = (texts: readonly string[], fits: (tone: number) => boolean) =>
    texts.filter((text) => !fits(tone.of(text)))
  assert.equal(
    wrong(JUDGED.positive, (one) => one > 0.1),
    [],
  )
  assert.equal(
    wrong(JUDGED.negative, (one) => one < -0.1),
    [],
  )
  assert.is(tone.of('...'), 0)
})

const WISHES: Record<'praise' | 'complaints' | 'neither', string[]> = {
  praise: ['quiet room', 'friendly staff', 'good value for money', 'ruhiges Zimmer', 'personal amable', 'free wifi'],
  complaints: ['rude staff', 'worst breakfast', 'not recommended', 'noisy rooms', 'overpriced food', 'lautes Zimmer'],
  // People speak of these more often when they complain, "hot water" and "cheap" too.
  neither: ['parking', 'breakfast', 'hot water', 'cheap', 'towels', 'air conditioning', 'view', '', '...'],
}

test('a query wishes for praise or for complaints, and the name of a thing for neither', () => {
  const wishes = (queries: readonly string[]) =>
    queries.map((q) => [q, Math.round(tone.wishedBy(q) * 10) / 10] as const)
  const wrong = [
    ...wishes(WISHES.praise).filter(([, wish]) => wish < 0.4),
    ...wishes(WISHES.complaints).filter(([, wish]) => wish > -0.4),
    ...wishes(WISHES.neither).filter(([, wish]) => wish !== 0),
  ]
  assert.equal(wrong, [])
})

test('the verdict does not depend on what was classified before', () => {
  const texts = Object.values(JUDGED).flat()
  const once = texts.map((text) => classify(text))
  assert.equal(
    [...texts]
      .reverse()
      .map((text) => classify(text))
      .reverse(),
    once,
  )
})

test('a review far longer than 400 words is judged by its beginning', () => {
  assert.is(classify(`${'Lovely room, kind staff. '.repeat(200)}Awful.`), 'positive')
})

test.run()
