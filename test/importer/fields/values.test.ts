import * as assert from 'uvu/assert'
import { publicName } from '../../../src/importer/fields/author.ts'
import { looksTruncated } from '../../../src/importer/fields/cut-text.ts'
import { detectDamage } from '../../../src/importer/fields/damaged-text.ts'
import { parseLanguage } from '../../../src/importer/fields/language.ts'
import { parseLink, withoutSecrets } from '../../../src/importer/fields/link.ts'
import { looksDoubleEncoded, repairEncoding } from '../../../src/importer/fields/mojibake.ts'
import { parseSource } from '../../../src/importer/fields/source.ts'
import { splitTranslation } from '../../../src/importer/fields/translation.ts'
import { parseVisibility } from '../../../src/importer/fields/visibility.ts'
import { isPersonal } from '../../../src/importer/formats/excluded-headers.ts'
import { decodeLegacy, decodeWindows1252 } from '../../../src/importer/read/encodings/legacy-encodings.ts'
import { metadataKey, normalizeHeader, uniqueHeaders } from '../../../src/importer/read/headers.ts'
import { suite } from '../../suite.ts'

const test = suite('values')

test('languages are tags, tags with underscores, or names in the languages of the aliases', () => {
  const read: [string, string | undefined][] = [
    ['en', 'en'],
    ['EN', 'en'],
    ['pt-BR', 'pt-BR'],
    ['en_US', 'en-US'],
    ['zh-hant-tw', 'zh-Hant-TW'],
    ['English', 'en'],
    ['CN', 'zh'],
    ['jp', 'ja'],
    ['Deutsch', 'de'],
    ['français', 'fr'],
    ['Español', 'es'],
    ['日本語', 'ja'],
    ['한국어', 'ko'],
    ['Русский', 'ru'],
    ['Українська', 'uk'],
    ['en-aaaaaaaa-bbbbbbbb-cccccccc-ddddd', 'en-aaaaaaaa-bbbbbbbb-cccccccc-ddddd'],
    ['en-aaaaaaaa-bbbbbbbb-cccccccc-dddddd', undefined],
    ['en-abcdefghij', undefined],
    ['en-US!', undefined],
    ['', undefined],
    ['klingonish language', undefined],
    ['brazilian', 'pt-BR'],
    ['schinese', 'zh-CN'],
    ['Hungarian', 'hu'],
    ['12', undefined],
    ['x', undefined],
  ]
  for (const none of ['NA', 'nan', 'NaN', 'US', 'GB', 'mq', 'xx']) assert.is(parseLanguage(none), undefined, none)
  for (const [cell, expected] of read) assert.is(parseLanguage(cell), expected, cell)
})

test('a link of 2,048 characters is kept, a longer one is left out, also when only its encoding makes it so', () => {
  const of = (length: number, last = 'a') => `https://example.com/${'a'.repeat(length - 20 - last.length)}${last}`
  assert.is(parseLink(of(2_048)), of(2_048))
  assert.is(parseLink(of(2_049)), undefined)
  assert.is(parseLink(of(2_048).slice(8)), of(2_048), 'without a scheme')
  assert.is(parseLink(of(2_049).slice(8)), undefined, 'without a scheme')
  assert.is(parseLink(of(2_048, '"')), undefined)
  assert.is(parseLink(of(100_000)), undefined)
})

test('links are http or https; a bare address gets https; nothing that runs gets through', () => {
  const read: [string, string | undefined][] = [
    ['https://example.com/r/1?a=b#c', 'https://example.com/r/1?a=b#c'],
    ['HTTP://Example.com', 'HTTP://Example.com'],
    ['example.com/r/1', 'https://example.com/r/1'],
    ['//cdn.example.com/a.png', 'https://cdn.example.com/a.png'],
    ['https://example.com/a b', 'https://example.com/a%20b'],
    ['https://exämple.com/ü', 'https://exämple.com/ü'],
    ['javascript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['see receipt', undefined],
    ['https://', undefined],
    [' https://example.com/r/1 ', 'https://example.com/r/1'],
    ['reviews.of.example.com', 'https://reviews.of.example.com'],
    ['https://example.com/a b c', 'https://example.com/a%20b%20c'],
    ['see https://example.com', undefined],
    ['!example.com', undefined],
    ['example.com!', undefined],
    ['n/a', undefined],
    ['', undefined],
  ]
  for (const [cell, expected] of read) assert.is(parseLink(cell), expected, cell)
})

test('a link with letters beyond ASCII is read however many were read before it', () => {
  const link = 'https://exämple.com/ü'
  for (let read = 0; read < 20_000; read++) assert.is(parseLink(link), link, `after ${read}`)
})

test('platform names are mapped, unknown ones are not', () => {
  const read: [string, string | undefined][] = [
    ['Google', 'google'],
    ['Google Maps', 'google'],
    ['Google My Business', 'google'],
    ['FB', 'facebook'],
    ['www.yelp.com', 'yelp'],
    ['Trust Pilot', 'trustpilot'],
    ['custom', 'custom'],
    ['Tripadvisor', undefined],
  ]
  for (const [cell, expected] of read) assert.is(parseSource(cell), expected, cell)
})

test('statuses say whether a review is shown', () => {
  for (const word of ['', 'published', 'Approved', '1', 'true']) assert.is(parseVisibility(word), 'shown', word)
  for (const word of ['hidden', 'Unpublished', 'pending', 'rejected', '0', 'false'])
    assert.is(parseVisibility(word), 'hidden')
  assert.is(parseVisibility('SPAM'), 'spam')
  assert.is(parseVisibility('flamboyant'), undefined)
  for (const words of ['Is published', 'Not spam', 'nicht gesperrt', 'WAHR', 'Öffentlich sichtbar'])
    assert.is(parseVisibility(words), 'shown', words)
  for (const words of ['Not approved', 'not yet published', 'In Review', 'under manual review', 'FALSCH', 'à modérer'])
    assert.is(parseVisibility(words), 'hidden', words)
  for (const words of [
    'Approved (not spam)',
    'No spam, approved',
    'En ligne (non spam)',
    'Published and not hidden',
    'Spam: no',
  ])
    assert.is(parseVisibility(words), 'shown', words)
  for (const words of ['Not approved (not spam)', 'Pending (not spam)', 'Published (not yet)'])
    assert.is(parseVisibility(words), 'hidden', words)
  assert.is(parseVisibility('Checked (not spam)'), undefined)
  for (const words of ['Spam - not published', 'removed (spam)']) assert.is(parseVisibility(words), 'spam', words)
  for (const words of ['not yet', 'checked in review', 'in review again', 'Published reply', 'hidden '.repeat(50)])
    assert.is(parseVisibility(words), undefined, words)
})

test('an e-mail address in a name goes, and what held it; a name that is only one, or a telephone number, is none', () => {
  const read: [string, string][] = [
    ['Ann P <ann@mail.example>', 'Ann P'],
    ['(ann@mail.example) Ann P', 'Ann P'],
    ['ann@mail.example | Ann P - ben@mail.example', 'Ann P'],
    ['ann@mail.example', ''],
    ['mailto:ann@mail.example, MAILTO:ben@mail.example', ''],
    ['+44 1632 960983', ''],
    ['(01632) 960-983', ''],
    ['01632 960983', ''],
    ['Room 16', 'Room 16'],
    ['16 Ann', '16 Ann'],
    ['01632 960983 Ann', '01632 960983 Ann'],
    ['Ann 01632 960983', 'Ann 01632 960983'],
    ['Ann (-;', 'Ann (-;'],
    ['Ann @ the mill', 'Ann @ the mill'],
  ]
  for (const [written, expected] of read) assert.is(publicName(written), expected, written)
})

test('what a page writes behind a name is no part of it', () => {
  for (const behind of [
    '\nLocal Guide · 45 reviews · 12 photos',
    ' Local Guide · 45 reviews',
    ', Local Guide',
    '\nLocal Guide Level 5',
    '\n12 reviews',
    ' · 1 review · 3 photos',
    '\nGB\n2 reviews',
    ' (Verified Buyer)',
    '\n1.234 Rezensionen',
    '\n3 avis',
    ' · 37 отзывов',
    '\n2 bài đánh giá',
  ])
    assert.is(publicName(`Ann Baker${behind}`), 'Ann Baker', behind)
  for (const name of ['Local Guide', 'Ann 3', 'Local Guides of Leeds', 'Ann, 12', 'Ann\nBaker', 'Verified Ann'])
    assert.is(publicName(name), name)
  for (const count of ['12 reviews', '37 отзывов', '1 отзыв', '3件のクチコミ', '8 yorum · 2 photos'])
    assert.is(publicName(count), '', 'whose name was elsewhere on the page')
})

test('a text that ends as one cut by a page is known, unless it is short', () => {
  const long = 'The kettle sang all morning and nobody in the kitchen minded that in the least, '
  assert.is(long.length, 80)
  for (const end of ['…', '...', '... more', '… Read more', '…mehr anzeigen', '… もっと見る'])
    assert.ok(looksTruncated(long + end), end)
  for (const end of ['.', '… and that was that', 'and more']) assert.not.ok(looksTruncated(long + end), end)
  assert.ok(looksTruncated(`${long.slice(0, 79)}…`))
  assert.not.ok(looksTruncated(`${long.slice(0, 78)}…`))
  for (const end of ['Read more', 'Readmore', 'see more', 'Show more'])
    assert.ok(looksTruncated(`Sang all morning. ${end}`), end)
  assert.not.ok(looksTruncated('Sang all morning, read more of it'))
})

test("Google's translation envelope opens in each order", () => {
  const expected = { text: 'Guter Kuchen.', translation: 'Good cake.', idText: 'Guter Kuchen.' }
  assert.equal(splitTranslation('(Translated by Google) Good cake.\n\n(Original)\nGuter Kuchen.'), expected)
  assert.equal(splitTranslation('(Original)\nGuter Kuchen.\n\n(Translated by Google)\nGood cake.'), expected)
  assert.equal(splitTranslation('Guter Kuchen.\n\n(Translated by Google)\nGood cake.'), expected)
})

test('the envelope opens in the languages in which Google writes it, and the generated id stays what it was', () => {
  for (const [translated, original] of [
    ['(Traduit par Google)', "(Avis d'origine)"],
    ['(Übersetzt von Google)', '(Original)'],
    ['(Traducido por Google)', '(Original)'],
    ['(Vertaald door Google)', '(Origineel)'],
    ['(Traduzido pelo Google)', '(Texto original)'],
    ['(Przetłumaczone przez Google)', '(Wersja oryginalna)'],
    ['(Перевод Google)', '(Оригинал)'],
    ['(Google による翻訳)', '(原文)'],
    ['(თარგმნილია Google-ის მიერ)', '(ორიგინალი)'],
  ]) {
    for (const text of [
      `${translated} Good cake.\n\n${original}\nGuter Kuchen.`,
      `Guter Kuchen.\n\n${translated}\nGood cake.`,
    ])
      assert.equal(splitTranslation(text), { text: 'Guter Kuchen.', translation: 'Good cake.', idText: text })
  }
})

test('a text without an envelope, and a translation without its original, stay as they are', () => {
  for (const text of [
    'Good cake (Original recipe).',
    '(from my Google page) Good cake.',
    'Good cake (translated with Google).',
    'Found by Google.\n(Original recipe)\nGood cake.',
  ])
    assert.equal(splitTranslation(text), { text, idText: text })
  const cake = { text: 'Good cake.', idText: 'Good cake.', translationOnly: true }
  assert.equal(splitTranslation('(Translated by Google) Good cake.'), cake)
})

test('double-encoded text is noticed and mended, also when it was encoded three times', () => {
  const twice = (text: string) => decodeWindows1252(Buffer.from(text))
  for (const text of ['✨ café ✨', 'Müller’s “Käse”', 'très déjà', '日本語', 'Ünïcödé 🍵', 'مرحبا']) {
    assert.ok(looksDoubleEncoded(twice(text)), text)
    assert.is(repairEncoding(twice(text)), text)
    assert.is(repairEncoding(twice(twice(text))), text)
  }
  assert.is(repairEncoding('âœ¨'), '✨')
})

test('dashes, quotes and ellipses that became control characters are noticed and mended, and letters only noticed', () => {
  const text = 'Warm bread \u0096 it\u0092s good \u0093even\u0094 cold\u0085'
  assert.ok(looksDoubleEncoded(text))
  assert.is(repairEncoding(text), 'Warm bread – it’s good “even” cold…')
  assert.ok(looksDoubleEncoded('caf\u008e'))
  assert.is(repairEncoding('caf\u008e'), 'caf\u008e')
})

test('double-encoded text is noticed and mended where it was read in another encoding than Windows-1252', () => {
  for (const encoding of ['windows-1251', 'windows-1250', 'macintosh', 'cp437', 'cp850'])
    for (const text of [
      'für',
      'Müller',
      'Überall „schön“ – très déjà',
      'Завтрак вкусный',
      'Łódź, żółty',
      'I’d stay 🍵',
    ]) {
      const twice = decodeLegacy(Buffer.from(text), encoding)
      // Windows-1251 and 1250 lack a byte, which programs lose.
      if (twice.includes('\ufffd')) continue
      assert.ok(looksDoubleEncoded(twice), `${encoding}: ${text}`)
      assert.is(repairEncoding(twice), text)
    }
})

test('honest text is neither suspected nor changed', () => {
  for (const text of [
    'café',
    'ÇÃO É',
    'São João',
    'Größe',
    'naïve “quotes” – dash…',
    '✨🍵',
    'مرحبا',
    '5 £ or 6 €',
    'Â',
    'Рік, Сіль, ДІМ',
    'ВІН ДІЄ',
    'Ті Ві',
    'd’âme, l’été',
    'd’âme, l’âge, d’âne, l’âtre',
    '“Äpfel”, ‚Äpfel‘',
    'Guðún',
    '日本語のテキスト',
    '√2 ≈ 1,41',
    'ŽŠ Český',
    'ä ö ü ß',
  ]) {
    assert.not.ok(looksDoubleEncoded(text), text)
    assert.is(repairEncoding(text), text)
  }
})

test('a mixture keeps what was well encoded', () => {
  assert.is(repairEncoding('🍵 cafÃ© déjà'), '🍵 café déjà')
  assert.is(repairEncoding('FĂĽr 🍵'), 'FĂĽr 🍵')
})

test('headers are compared by their letters and digits alone', () => {
  for (const header of ['Review Date', 'review_date', 'REVIEW-DATE', ' reviewDate ', 'Review  (Date)'])
    assert.is(normalizeHeader(header), 'reviewdate', header)
  assert.is(normalizeHeader('Évaluation'), 'evaluation')
  assert.is(normalizeHeader('Straße'), 'strasse')
})

test('empty and repeated headers can be told apart', () => {
  assert.equal(uniqueHeaders(['a', '', 'a', 'a (2)', ' ']), ['a', 'column 2', 'a (2)', 'a (2) (2)', 'column 5'])
  assert.equal(uniqueHeaders(['a', 'a', 'a', 'a']), ['a', 'a (2)', 'a (3)', 'a (4)'])
})

test('metadata keys are what a data attribute can name', () => {
  assert.is(metadataKey("Club's Name"), 'club_s_name')
  assert.is(metadataKey('productSku'), 'product_sku')
  assert.is(metadataKey('location.name'), 'location_name')
  assert.is(metadataKey('Größe'), 'größe')
  assert.is(metadataKey('Gro\u0308ße'), 'größe')
  assert.is(metadataKey('room2Type oneTwoThree'), 'room2_type_one_two_three')
  assert.is(metadataKey('__a  -  b__'), 'a_b')
  assert.is(metadataKey('***'), 'column')
  assert.is(metadataKey('x'.repeat(100)).length, 64)
})

test('personal data is known by its headers in every language', () => {
  for (const header of [
    'Email',
    'reviewer_email',
    'E-Mail-Adresse',
    'IP Address',
    'Telefon',
    'Phone Number',
    'Téléphone',
    'Order number',
    'appointment_id',
    'Patientennummer',
    'Notes',
    'Entry Notes',
    'Anything you want only us to know?',
  ])
    assert.ok(isPersonal(header), header)
  for (const header of ['Product', 'Recipient', 'Description', 'Membership', 'Tasting notes', 'Only used', 'Termin'])
    assert.not.ok(isPersonal(header), header)
})

test('a link loses what only its visitor should have', () => {
  const page = 'https://shop.example/pie'
  for (const [link, kept] of [
    [`${page}?token=a1b2&page=2`, `${page}?page=2`],
    [`${page}?access_token=a1b2#reviews`, `${page}#reviews`],
    [`${page}#id_token=a1b2`, page],
    [`${page}?u=ann%40mail.example`, page],
    [`${page}?email=ann@mail.example&session=9`, page],
    [`${page}?key=wc_order_x1`, page],
  ] as const)
    assert.is(withoutSecrets(link), kept, link)
  for (const link of [
    `${page}?hl=en&review=5#r5`,
    `${page}?q=a=b&key=blue`,
    'https://www.google.example/maps/reviews/data=!4m8!14m7?hl=en',
    `${page}#hrid:yt-TK`,
    'https://social.example/@ann.b',
  ])
    assert.is(withoutSecrets(link), link)
})

test('what programs did to a text is known by its traces', () => {
  assert.is(detectDamage('Bread and � tea.'), 'damaged_text')
  for (const text of ['?niadanie pyszne, ?ó?ko wygodne.', '?????? ???, ?? ????.'])
    assert.is(detectDamage(text), 'question_marks', text)
  for (const text of ["It\\'s warm", "l\\\\\\'eau"]) assert.is(detectDamage(text), 'written_slashes', text)
  for (const text of ['The [b]bread[/b]', '[url=https://inn.example]here[/url]', 'See [here](https://inn.example)'])
    assert.is(detectDamage(text), 'markup', text)
  for (const text of ['The *bread* (see [1])', '# 1 bread', 'a[b] of c[/d]', 'Warm [bread] (https://inn.example)'])
    assert.is(detectDamage(text), undefined, text)
  for (const text of ["It's", "C:\\'new'", "a \\' b"]) assert.is(detectDamage(text), undefined, text)
  for (const text of ['One.\\nTwo.', 'One\\nTwo', 'One.\\r\\ntwo'])
    assert.is(detectDamage(text), 'written_breaks', text)
  for (const text of ['Really??? Why?', 'Why?because of the bread.', 'open day\\night', 'Good.\nReally?', '5/5 ?'])
    assert.is(detectDamage(text), undefined, text)
})

test.run()
