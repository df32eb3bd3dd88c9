import { createHash } from 'node:crypto'
import * as assert from 'uvu/assert'
import { createBuiltinEmbedder } from '../../../server/embed/builtin/embedder.ts'
import { cosineOf } from '../../../server/embed/calibrate.ts'
import type { EmbedKind } from '../../../server/embed/embedder.ts'
import { suite } from '../../suite.ts'

const test = suite('builtin embedder')
const embedder = await createBuiltinEmbedder()

async function embed(text: string, kind: EmbedKind = 'document'): Promise<Float32Array> {
  const [vector] = await embedder.embed([text], kind)
  if (!vector) throw new Error('no vector')
  return vector
}

const between = async (query: string, text: string) => cosineOf(await embed(query, 'query'), await embed(text))

test('vectors have the stated length, fit into int8 and come in input order', async () => {
  const texts = ['Quiet room.', 'The soup was cold.', '', '!!!', '東京の夜景', 'x'.repeat(5000)]
  const vectors = await embedder.embed(texts, 'document')
  assert.is(vectors.length, texts.length)
  for (const [i, vector] of vectors.entries()) {
    assert.is(vector.length, embedder.dimensions)
    assert.ok(
      vector.every((x) => Number.isInteger(x) && Math.abs(x) <= 127),
      texts[i],
    )
    assert.equal(vector, await embed(texts[i] ?? ''))
  }
})

test('the same bits on every platform: the hash of a few vectors is fixed', async () => {
  const hash = createHash('sha256')
  for (const kind of ['document', 'query'] as const) {
    for (const vector of await embedder.embed(
      ['Friendly staff, not a bad meal!', 'Does Mo’s Grill serve qwxz?', '…', 'Teller', 'Das Zimmer war nicht laut.'],
      kind,
    )) {
      const bytes = Buffer.alloc(vector.length * 4)
      for (const [i, x] of vector.entries()) bytes.writeFloatLE(x, i * 4)
      hash.update(bytes)
    }
  }
  assert.is(hash.digest('hex').slice(0, 16), '68ea75ebdfb5cbda')
})

test('a text without words is near to nothing but itself', async () => {
  for (const text of ['', '…', '!!!', '- - -']) {
    assert.ok((await between(text, 'The staff were friendly.')) < 0.6, text)
    assert.ok((await between('friendly staff', text)) < 0.6, text)
  }
})

test('a query that only names a page is near to nothing, in any spelling, and one about its words is as before', async () => {
  const near: [name: string, text: string][] = [
    ['Privacy Policy', 'The bathroom door gave us no privacy.'],
    ['TERMS & CONDITIONS', 'Great in terms of comfort, conditions could be better.'],
    ['Über uns', 'Wir möchten uns nochmals bedanken.'],
    ['Contactanos!', 'El contacto con ellos fue muy amable.'],
    ['📞 Contáctanos', 'El contacto con ellos fue muy amable.'],
    ['À propos de nous', 'Nous étions deux, et nous nous sommes régalés.'],
    ['Fale conosco', 'Eles falam português conosco.'],
    ['Home Page', 'The soup alone was worth writing home about.'],
    ['Welcome to our website!', 'We were given a lovely welcome.'],
    ['Willkommen auf unserer Homepage', 'Wir haben uns willkommen gefühlt.'],
    ['Domande frequenti – FAQ', 'Hanno risposto a tutte le nostre domande, frequenti come erano.'],
    ['Contacta con nosotros – Contacto', 'El contacto con ellos fue muy amable.'],
    ['What our clients say', 'I never say much, but our clients were rude.'],
    ['Kundenmeinungen', 'Ich kam wegen der Meinungen der Kunden und war enttäuscht.'],
    ['Avis clients', 'Nous étions clients, et voici notre avis.'],
    ['Was wir tun', 'Wir wollten das wieder tun.'],
    ['My account', 'They charged a fee on my account.'],
    ['Error 404', 'An error in the bill, and nobody answered.'],
    ['О НАС', 'О нас позаботились с первой минуты.'],
    ['Контакты / Contact', 'Контакты мастера нам дали сразу.'],
    ['İLETİŞİM', 'İletişim konusunda çok iyiydiler.'],
    ['HAKKIMIZDA', 'Bizim hakkımızda her şeyi hatırlıyorlardı.'],
    ['Επικοινωνία', 'Η επικοινωνία μαζί τους ήταν εύκολη.'],
    ['CONTACT お問い合わせ', '電話でのお問い合わせにも親切でした。'],
    ['ﾌﾟﾗｲﾊﾞｼｰﾎﾟﾘｼｰ', 'プライバシーが守られた個室でした。'],
    ['자주 묻는 질문', '자주 묻는 질문에도 친절하게 답해 주셨어요.'],
    ['聯絡我們', '店家馬上就聯絡我們了。'],
    ['من نحن', 'سألونا من نحن ورحبوا بنا.'],
    ['צור קשר', 'היה קשר טוב עם הצוות.'],
    ['ติดต่อเรา', 'พนักงานติดต่อเราเร็วมาก'],
    ['हमारे बारे में', 'उन्होंने हमारे बारे में सब याद रखा।'],
    ['O nas', 'O nas zadbali od pierwszej minuty.'],
    ['Plan du site', 'Le site est bien, le plan aussi.'],
  ]
  for (const [name, text] of near) assert.ok((await between(name, text)) < 0.5, name)
  assert.ok((await between('privacy', 'The bathroom door gave us no privacy.')) > 0.66)
  assert.ok((await between('opening hours', 'Very convenient opening hours.')) > 0.66)
  assert.ok((await between('contact with the host', 'Contact with the host was easy.')) > 0.66)
  assert.ok((await between('Breakfast – Contact', 'The breakfast was good.')) > 0.66)
  assert.ok((await between('reviews', 'I read the reviews before.')) > 0.66)
  assert.ok((await between('отзывы', 'Пришли сюда по отзывам.')) > 0.5)
  assert.ok((await between('アクセス', '駅からのアクセスが良いです。')) > 0.66)
  assert.ok((await between('朝食 breakfast', '朝食が豪華でした。')) > 0.6)
  assert.ok((await between('what our clients eat', 'Our clients eat well here.')) > 0.66)
  // Only a query is a heading
  assert.ok((await between('privacy policy of the hotel', 'Privacy policy')) > 0.5)
})

test('a picture and the number of a section in a heading change nothing, and a number does not make it English', async () => {
  for (const heading of [
    '🥐 Frühstück',
    'Frühstück ★',
    '✨ Frühstück ✨',
    '01 Frühstück',
    '02. Frühstück',
    '🍽️ 03 Frühstück',
  ])
    assert.equal(await embed(heading, 'query'), await embed('Frühstück', 'query'), heading)
  assert.ok((await between('2 Doppelzimmer', 'Das Doppelzimmer war groß.')) > 0.7)
  assert.not.equal(await embed('🍕', 'query'), await embed('🥐', 'query'))
  const covered = (query: string) =>
    embedder.coverage?.ask(query).coverage([embedder.coverage.read('Ein gutes Frühstück.')])
  assert.equal(covered('🥐 Frühstück'), covered('Frühstück'))
})

test('pictures in a review are no words of praise, and hide nothing that it says', async () => {
  assert.equal(await embed('The food was delicious 👍👍👍🔥'), await embed('The food was delicious '))
  assert.ok((await between('breakfast', 'Great croissants in the morning 👍🏼👍🏼👍🏼')) > 0.66)
  assert.ok((await between('is it good for gaming', 'Super 👍 very good')) < 0.66)
  assert.not.equal(await embed('👍👍'), await embed('🔥'))
})

test('letters that people write in several ways are one: Arabic hamzas, marks and articles, Hebrew points and articles, half-width katakana, Thai am in two signs', async () => {
  const pairs = [
    ['افطار', 'كان الإفطار عندهم لذيذًا'],
    ['الاضاءة', 'والإضاءة جميلة'],
    ['قهوه', 'القهوة ممتازة هنا'],
    ['خِدْمَةُ التَّوْصِيل', 'خدمة التوصيل سريعة'],
    ['مطعـــم', 'المطعم نظيف جدا'],
    ['בריכה', 'הבריכה הייתה נקייה'],
    ['אֲרוּחַת בֹּקֶר', 'ארוחת הבוקר טעימה מאוד'],
    ['ケーキ', 'ここのｹｰｷが大好きです'],
    ['น้ำส้ม', 'นํ้าส้มสดมาก'],
  ] as const
  for (const [query, text] of pairs)
    assert.ok((await between(query, text)) > 0.64, `${query}: ${await between(query, text)}`)
  assert.equal(await embed('ﾊﾟﾝ'), await embed('パン'))
  assert.not.equal(await embed('المسرح', 'query'), await embed('المسبح', 'query'))
  // a short word keeps what may be a letter of its own
  assert.not.equal(await embed('הורה'), await embed('ורה'))
})

test('one form for letters takes linear time', async () => {
  const started = performance.now()
  for (const part of ['\u0e4d', '\uff9e', 'ال', 'وال', 'ו', 'وبال ', '\u064b']) await embed(part.repeat(50_000))
  assert.ok(performance.now() - started < 5000)
})

test('a misspelt and an unknown word come near to the word they resemble', async () => {
  assert.ok((await between('excelent brekfast', 'The breakfast was excellent.')) > 0.66)
  assert.equal(await embed('comfotrable bedrooom'), await embed('comfortable bedroom'))
  assert.ok((await between('Zimmerschlüssel', 'zimmerschluessel Zimmerschlüssel')) > 0.66)
})

test('another form of a word, and a compound of two, are these words', async () => {
  for (const [query, text] of [
    ['Blenders', 'This blender is loud.'],
    ['Powerbank', 'The powerbank charges my phone twice.'],
    ['power bank', 'The powerbank charges my phone twice.'],
    ['Smartwatch', 'I love this smart watch, it counts my steps.'],
  ] as const) {
    assert.ok((await between(query, text)) >= 0.66, `${query}: ${text}`)
  }
  assert.ok((await between('figurine', 'The bathroom smelled of urine.')) < 0.5)
})

test('a word that reviews hardly say is English, and means what English means by it', async () => {
  for (const [query, text] of [
    ['Kohlrabi', 'The kohlrabi was fresh.'],
    ['Tambourines', 'We love the tambourine.'],
    ['litigation', 'A good lawyer, she won our lawsuit.'],
    ['drinkware', 'Lovely wine glasses.'],
  ] as const) {
    assert.ok((await between(query, text)) >= 0.66, `${query}: ${text}`)
  }
  const other = await between('kohlrabi', 'The turnips were fresh.')
  assert.ok(other > 0.3 && other < (await between('kohlrabi', 'The kohlrabi was fresh.')) - 0.1, String(other))
})

test('a rare word is heard beside frequent ones', async () => {
  for (const word of ['leeks', 'violins', 'cherries', 'radishes']) {
    assert.ok((await between(word, `Great selection of ${word} and helpful staff.`)) > 0.53, word)
  }
})

test('a word that no language knows is compared by how it is written; German capitals are no names', async () => {
  assert.ok((await between('sauberes Zimmer', 'Das Zimmer war sehr sauber.')) > 0.53)
  assert.ok((await between('sauberes Zimmer', 'Der Kellner war unfreundlich.')) < 0.53)
  // German capitalises every noun: none of them is a name that weighs little
  assert.equal(await embed('sauberes Zimmer', 'query'), await embed('sauberes zimmer', 'query'))
  assert.ok((await between('buen desayuno', 'La música estaba demasiado alta.')) < 0.53)
})

const OPPOSITES: [query: string, wanted: string, other: string][] = [
  ['quiet room', 'We had a peaceful room at the back.', 'Our room was very noisy.'],
  ['huge rooms', 'The rooms were enormous.', 'The rooms are tiny.'],
  ['easy to use', 'So simple to set up.', 'It is complicated and difficult to use.'],
  ['close to the beach', 'The beach is just across the street.', 'The beach is far away.'],
  ['comfortable chair', 'I can sit in this lovely chair all day.', 'The chair is not comfortable.'],
  ['friendly staff', 'The staff were so kind.', 'The staff were not friendly at all.'],
]
for (const [query, wanted, other] of OPPOSITES) {
  test(`"${query}" wants one side`, async () => {
    assert.ok((await between(query, wanted)) > (await between(query, other)))
  })
}

test('a query that is no question comes less near to the other side than a question, which both sides answer', async () => {
  for (const [few, question, other] of [
    ['quiet room', 'is the room quiet', 'The room was so loud we could not sleep.'],
    ['clean bathroom', 'was the bathroom clean', 'The bathroom was not clean.'],
    ['free parking', 'is parking free?', 'Parking is not free.'],
    ['friendly staff', 'I wonder whether the staff are friendly', 'The staff were not friendly.'],
  ] as const) {
    const [wants, asks] = [await between(few, other), await between(question, other)]
    assert.ok(wants < asks, `${few}: ${wants}, ${question}: ${asks}`)
    assert.ok(asks >= 0.66, question)
  }
})

test('a business’s name in a question does not drown what is asked', async () => {
  const asked = 'Does the Harrow Hill Lodge have friendly staff?'
  const staff = await between(asked, 'The people at reception were kind and friendly.')
  const name = await between(asked, 'We stayed at Harrow Hill Lodge last week.')
  assert.ok(staff > name, `${staff} against ${name}`)
})

test('accents, case and the spelling of wi-fi change nothing', async () => {
  assert.equal(await embed('CAFÉ DECOR'), await embed('café décor'))
  assert.equal(await embed('the wi-fi'), await embed('the WiFi'))
})

test('an aborted signal ends a long batch', async () => {
  const long = Array.from({ length: 2000 }, (_, i) => `sentence ${i}`)
  let message = ''
  await embedder.embed(long, 'document', AbortSignal.abort(new Error('enough'))).catch((error) => {
    message = error.message
  })
  assert.is(message, 'enough')
})

test.run()
