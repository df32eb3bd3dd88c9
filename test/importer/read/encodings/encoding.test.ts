import iconv from 'iconv-lite'
import * as assert from 'uvu/assert'
import type { ImportOptions } from '../../../../src/importer/formats/mapping.ts'
import { toUtf8 } from '../../../../src/importer/read/encodings/encoding.ts'
import { suite } from '../../../suite.ts'
import { prepare, refusalOf, reviewsOf } from '../../prepared.ts'

const test = suite('files in encodings from before Unicode')

const csv = (...texts: string[]) => `date;name;text\r\n${texts.map((text) => `2026-01-05;Kim;"${text}"\r\n`).join('')}`
const textsOf = async (bytes: Buffer, options: ImportOptions = {}) =>
  (await reviewsOf(bytes, options)).map(({ text }) => text)
const warningsOf = async (bytes: Buffer, options: ImportOptions = {}) =>
  (await prepare(bytes, options)).warnings.map(({ message }) => message).join('\n')

/** As Windows-1258 has Vietnamese: the five tones stand behind their letters. */
const withTonesBehind = (text: string) =>
  text.replace(/./gu, (letter) => {
    const parts = [...letter.normalize('NFD')]
    const tones = parts.filter((part) => '\u0300\u0301\u0303\u0309\u0323'.includes(part))
    return (
      parts
        .filter((part) => !tones.includes(part))
        .join('')
        .normalize('NFC') + tones.join('')
    )
  })
const encode = (text: string, encoding: string) =>
  iconv.encode(encoding === 'windows-1258' ? withTonesBehind(text) : text, encoding)

const FILES: [encoding: string, texts: string[]][] = [
  ['windows-1250', ['Pokój czysty, śniadanie pyszne; wrócimy na pewno.', 'W nocy było głośno, a łóżko skrzypiało.']],
  ['windows-1250', ['Snídaně výborná, určitě přijedeme znovu.', 'Pokoj čistý, postel ale vrzala.']],
  ['windows-1250', ['A reggeli bőséges volt, gyönyörű kilátással.', 'Az ágy nyikorgott, de a személyzet kedves.']],
  ['windows-1254', ['Kahvaltı çok güzeldi, oda sıcacıktı.', 'Işıl Hanım bize şehri anlattı.']],
  ['windows-1257', ['Pusryčiai skanūs, kambarys švarus, būtinai grįšime.', 'Naktį gatvėje triukšminga.']],
  ['windows-1258', ['Phòng sạch sẽ, bữa sáng rất ngon.', 'Nhân viên thân thiện, sẽ quay lại.']],
  ['windows-1251', ['Завтрак вкусный, номер чистый.', 'Ночью было шумно.']],
  ['koi8-r', ['Завтрак вкусный, номер чистый.', 'Ночью было шумно.']],
  ['cp866', ['Завтрак вкусный, номер чистый.', 'Ночью было шумно.']],
  ['windows-1253', ['Νόστιμο πρωινό, καθαρό δωμάτιο.']],
  ['windows-1255', ['ארוחת הבוקר טעימה והחדר נקי מאוד.']],
  ['windows-1256', ['الفطور لذيذ والغرفة نظيفة جدا.']],
  ['windows-874', ['อาหารเช้าอร่อย ห้องสะอาดมาก']],
  ['shift_jis', ['朝食がおいしく、表示もわかりやすい。能力のあるスタッフでした。']],
  ['euc-jp', ['朝食がおいしく、部屋も静かでした。']],
  ['gb18030', ['早餐很好吃，房间很干净，下次还来。']],
  ['big5', ['早餐很好吃，房間很乾淨，功能都不錯，許多人推薦。']],
  ['euc-kr', ['조식이 맛있고 방이 깨끗했어요. 또 올게요.']],
  // Syllables that only Windows' table has.
  ['cp949', ['조식 맛있어욬ㅋㅋ 방도 깨끗햌ㅎ 쫌 멀긴 햇는뎁 또 갈꺠여']],
  // Characters of Hong Kong.
  ['big5-hkscs', ['早餐好好食，房間好乾淨，啲職員好好，下次再嚟，冇得輸，喺度瞓得好。']],
  ['macintosh', ['Das Frühstück war großartig – wir kommen wieder.', 'Schöne Zimmer für 80 £.']],
  ['macintosh', ['We can’t wait, it’s lovely.', 'You’ll love it, I’m sure they’re kind.', 'We didn’t mind.']],
  ['macgreek', ['Νόστιμο πρωινό, καθαρό δωμάτιο.', 'Τη νύχτα είχε φασαρία.']],
  ['macturkish', ['Kahvaltı çok güzeldi, oda sıcacıktı.', 'Işıl Hanım bize şehri anlattı.']],
  ['cp869', ['Νόστιμο πρωινό, καθαρό δωμάτιο.', 'Τη νύχτα είχε φασαρία.']],
  ['cp850', ['Das Frühstück war großartig, wir kommen wieder.', 'Schöne Zimmer für uns.']],
  ['cp852', ['Pokój czysty, śniadanie pyszne.', 'W nocy było głośno, a łóżko skrzypiało.']],
]

for (const [encoding, texts] of FILES)
  test(`${encoding} is told by its letters, and the report says so: ${texts[0]}`, async () => {
    const bytes = encode(csv(...texts), encoding)
    assert.equal(await textsOf(bytes), texts)
    assert.match(await warningsOf(bytes), /is not in UTF-8 and was read as .*, judging by its letters.*--encoding/)
    // Among many rows in English, too.
    const long = csv(...Array.from({ length: 300 }, (_, row) => `Fine, said guest ${row}.`), ...texts)
    assert.equal((await textsOf(encode(long, encoding))).slice(300), texts)
  })

test('Western European files stay Windows-1252, however few letters beyond ASCII they have', async () => {
  const files = [
    ['Schöne Zimmer für uns – Übergrößen; Fußböden; ÄÖÜß ……… €€€€€€ ©®'],
    ['« Très bien » « à l’été » ¡¿Qué?! coração; não; João; ÉÉÉÉ; œuf “‘c’est ça’”'],
    ['naïve façade — ¼½¾ °°°°°° ···· ———————', 'From 9 to 5 – 2½ stars, 1ª, nº 5, 20 °C'],
    ['I’d stay again'],
    [
      'Kim’s, Tom’s, Ann’s and Leo’s décor isn’t mine',
      'It’s great, we can’t, won’t and don’t wait',
      'Wasn’t, didn’t, that’s',
    ],
    ['Brauðið var nýtt og þjónustan góð, ég mæli með því'],
    ['La camera è pulita, la colazione è ottima e il caffè pure', 'Perché no? Città così.'],
    ['Hyggelig på stranden, børnene elskede det', 'Håkan, José and Zoë were kind', 'Teenindajad väga sõbralikud'],
    ['É ótimo, não há opções; três maçãs', 'Señor Muñoz, mañana'],
    ['Guðmundur was a great guide'],
    ['Great · cheap · near'],
    ['± 5 minutes', '5 ¢', 'Tea ¬ milk', '† ™®'],
    ['100 µg, 1ª vez, nº 5'],
    ['A room—the blue one—was free', 'Then–now', 'Well…maybe', 'rock’n’roll'],
    ['Our crêpe was soggy but the jalapeño sauce saved it'],
  ]
  for (const texts of files) {
    assert.equal(await textsOf(iconv.encode(csv(...texts), 'windows-1252')), texts)
    assert.match(await warningsOf(iconv.encode(csv(...texts), 'windows-1252')), /read as Windows-1252, for Western/)
  }
})

test('a file whose encoding cannot be told is refused, with the way out; the name of the encoding reads it', async () => {
  const bytes = iconv.encode(csv('mañana'), 'cp850')
  assert.is(await refusalOf(() => prepare(bytes)), 'unknown_encoding')
  const said = await prepare(bytes).catch((error: Error) => error.message)
  assert.match(String(said), /could not be detected: it may be CP775 or CP850.*--encoding.*CSV UTF-8/)
  assert.equal(await textsOf(bytes, { encoding: 'cp850' }), ['mañana'])
  assert.not.match(await warningsOf(bytes, { encoding: 'cp850' }), /read as/)
})

test('a named encoding that does not fit is refused, and UTF-8 and UTF-16 are read as what they are', async () => {
  const polish = csv('Pokój czysty, śniadanie pyszne, łóżko też.')
  assert.is(
    await refusalOf(() => prepare(iconv.encode(polish, 'windows-1250'), { encoding: 'utf-8' })),
    'unknown_encoding',
  )
  for (const encoding of ['utf8', 'utf16le'] as const)
    assert.equal(await textsOf(Buffer.from(`\ufeff${polish}`, encoding), { encoding: 'windows-1252' }), [
      'Pokój czysty, śniadanie pyszne, łóżko też.',
    ])
})

test('UTF-16 without a mark is read, also of letters that have no zero bytes; UTF-32 is told', async () => {
  const texts = ['Завтрак вкусный, номер чистый.', '部屋も静かで、一度は泊まりたい。', 'ארוחת הבוקר טעימה']
  for (const text of texts) {
    const long = text.repeat(40)
    const json = JSON.stringify([{ date: '2026-01-05', text: long }])
    for (const content of [csv(long), json])
      for (const encoding of ['utf-16le', 'utf-16be']) {
        const bytes = iconv.encode(content, encoding)
        assert.equal([...new Set(await textsOf(bytes))], [long], encoding)
        assert.not.match(await warningsOf(bytes), /UTF/)
      }
    for (const encoding of ['utf-32le', 'utf-32be']) {
      const said = await prepare(iconv.encode(csv(text), encoding)).catch((error: Error) => error.message)
      assert.match(String(said), /is text in UTF-32\. Save it as UTF-8/)
    }
  }
  // A few zero bytes among bytes of letters are no UTF-16.
  assert.is(toUtf8(Buffer.from('date,text\n2026-01-05,"A\0\nB\n\0C"\n')).encoding, 'UTF-8')
})

test('JSON is decoded before it is parsed, also where half a letter is a backslash', async () => {
  const json = JSON.stringify([{ date: '2026-01-05', text: '表示がわかりやすく、能力のあるスタッフでした。' }])
  assert.equal(await textsOf(iconv.encode(json, 'shift_jis')), ['表示がわかりやすく、能力のあるスタッフでした。'])
})

test('Japanese as mails have it is not taken for ASCII', async () => {
  const bytes = Buffer.from('date,text\n2026-01-05,\x1b$BF|K\\8l\x1b(B\n')
  assert.equal(await textsOf(bytes), ['日本語'])
})

test('lines in another encoding among UTF-8 are read in theirs, and a broken letter does not make the rest nonsense', async () => {
  const utf8 = Buffer.from(csv('Schöne Zimmer', 'für uns', 'größer'))
  const polish = iconv.encode('2026-01-06;Jan;"W nocy było głośno, a łóżko skrzypiało"\r\n', 'windows-1250')
  assert.equal((await textsOf(Buffer.concat([utf8, polish]))).slice(-1), ['W nocy było głośno, a łóżko skrzypiało'])
  const broken = Buffer.concat([
    Buffer.from('[{"date":"2026-01-05","text":"Schön für größere '),
    Buffer.of(0xc3),
    Buffer.from('"}]'),
  ])
  assert.equal(await textsOf(broken), ['Schön für größere \ufffd'])
  assert.match(await warningsOf(broken), /1 of its characters could not be read/)
})

test('UTF-8 in which letters were lost before, and their signs cut since, is not taken for another encoding', async () => {
  const lost = Buffer.from('Stale \ufffd\ufffd')
  const cut = [lost.subarray(0, -1), Buffer.from('sour \ufffd\ufffd').subarray(0, -2)]
  const rows = cut.flatMap((text) => [Buffer.from('\n2026-01-05,'), text])
  const bytes = Buffer.concat([Buffer.from('date,text'), ...rows, Buffer.from('\n')])
  assert.equal(await textsOf(bytes), ['Stale \ufffd\ufffd', 'sour \ufffd\ufffd'])
  assert.match(await warningsOf(bytes), /2 of its characters could not be read in UTF-8/)
})

test('two files pasted together are read in two encodings, whichever is the longer; which one the other is must be clear', async () => {
  const utf8 = ['Zażółć gęślą jaźń', 'Снова приедем, очень понравилось']
  for (const [encoding, texts] of FILES) {
    const old = [...texts, ...texts.map((text) => `${text} 2`), ...texts.map((text) => `${text} 3`)]
    for (const many of [utf8, utf8.slice(1)]) {
      const bytes = Buffer.concat([Buffer.from(csv(...many)), encode(csv(...old), encoding)])
      assert.equal((await textsOf(bytes)).slice(-old.length), old)
      assert.equal((await textsOf(bytes)).slice(0, many.length), many)
      assert.match(await warningsOf(bytes), /some lines are in .* instead of UTF-8 and were read line by line/)
    }
  }
  const unclear = Buffer.concat([
    Buffer.from(csv('größer, schöner, süß')),
    iconv.encode(csv('mañana', 'El Niño'), 'cp850'),
  ])
  assert.is(await refusalOf(() => prepare(unclear)), 'unknown_encoding')
  assert.equal(await textsOf(unclear, { encoding: 'cp850' }), ['größer, schöner, süß', 'mañana', 'El Niño'])
})

test('of a large file a sample from all over it is looked at', () => {
  const german = 'Das Frühstück war großartig\n'.repeat(50_000)
  const polish = Array.from({ length: 50_000 }, (_, row) => `Łóżko nr ${row} było głośne, śniadanie już nie\n`).join('')
  const start = performance.now()
  assert.is(toUtf8(iconv.encode(german + polish, 'windows-1250')).encoding, 'Windows-1250')
  assert.is(toUtf8(Buffer.alloc(8_000_000, 0xe9)).bytes.length > 0, true)
  assert.ok(performance.now() - start < 10_000)
})

test('only a whole byte order mark is left out', () => {
  for (const text of ['a\u00bfb', '\uf8ffb', '\ufeef']) assert.is(toUtf8(Buffer.from(text)).bytes.toString(), text)
  assert.is(toUtf8(Buffer.from('\ufeffa')).bytes.toString(), 'a')
})

test('UTF-8 with a letter cut in two is called so, with what was lost', () => {
  for (const text of ['Frühstück schön, für Gäste übrig, Käse ', 'Frühstück schön ����, für Gäste übrig, Käse ']) {
    const damaged = Buffer.concat([
      Buffer.from(`date;text\r\n2026-01-05;${text}`),
      Buffer.from([0xc3]),
      Buffer.from('\r\n'),
    ])
    const { encoding, lost } = toUtf8(damaged)
    assert.equal([encoding, lost?.count], ['UTF-8', 1])
  }
})

test.run()
