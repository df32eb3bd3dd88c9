import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { prepare, refusalOf, reviewOf, reviewsOf } from '../prepared.ts'

const test = suite('columns of platforms that are not known')

const textsOf = async (content: string) => (await reviewsOf(content)).map((review) => review.text)
const warningsOf = async (content: string) => (await prepare(content)).warnings.map(({ message }) => message).join('\n')

test("the owner's answer is no review, and its date none of a review", async () => {
  const csv =
    'Review Date,Guest,Overall rating,Public review,Private feedback,Response,Response date\n' +
    '2026-01-05,Ann,5,Warm flat and a warmer welcome,The boiler is rusty,Thank you Ann,2026-01-07\n'
  const prepared = await prepare(csv)
  const review = prepared.rows[0]?.review
  assert.is(review?.text, 'Warm flat and a warmer welcome')
  assert.is(review?.occurred_at.toISOString().slice(0, 10), '2026-01-05')
  assert.not.ok(JSON.stringify(review).includes('boiler'))
  assert.equal(prepared.warnings, [], 'the answer is not even proposed')
})

test('what a heading calls private is no text, also in brackets', async () => {
  const csv =
    'Date,Comment (internal),Kommentar (intern),Feedback\n2026-01-05,A difficult guest,Nicht nett,Warm bread\n'
  assert.equal(await textsOf(csv), ['Warm bread'])
  assert.is(await refusalOf(() => prepare('Date,Feedback (private)\n2026-01-05,The boiler rusts\n')), 'mapping_needed')
  const asked =
    'Date,Your review,Anything you want only us to know?\n2026-01-05,Fine.,Please do not tell anybody that I came\n'
  assert.equal(await textsOf(asked), ['Fine.'])
  assert.is(await refusalOf(() => prepare(asked.replace('Your review', 'Your visit'))), 'mapping_needed')
  assert.is(await refusalOf(() => prepare('Date,Private feedback\n2026-01-05,The boiler rusts\n')), 'mapping_needed')
})

test('where the text goes by a name of its own, the answer does not take its place: the right column is proposed', async () => {
  const csv = 'Date,Customer remark,Response\n2026-01-05,Warm bread and butter,Thanks for coming to see us again\n'
  try {
    await prepare(csv)
    assert.unreachable()
  } catch (error) {
    assert.match(error instanceof Error ? error.message : '', /--map text="Customer remark"\./)
  }
})

test('headings of tables in languages of other scripts are known, and answers in them are no texts', async () => {
  for (const headings of [
    'תאריך פרסום,שם הלקוח,כוכבים,תוכן הביקורת,תגובת העסק',
    'تاريخ التقييم,اسم العميل,عدد النجوم,نص التقييم,رد صاحب المحل',
    'วันที่เขียน,ชื่อลูกค้า,จำนวนดาว,เนื้อหารีวิว,คำตอบจากเจ้าของ',
    '작성일시,작성자명,만족도,리뷰 본문,업체 답변',
    '评价时间,用户昵称,评分,评价内容,商家回复',
    '評論時間,暱稱,星級,評價內容,業主回覆',
    'ημερομηνία δημοσίευσης,όνομα πελάτη,αριθμός αστεριών,κείμενο,Σχόλιο ιδιοκτήτη',
    "дата публікації,ім'я клієнта,кількість зірок,зміст відгуку,коментар власника",
    'समीक्षा की तारीख,ग्राहक का नाम,सितारे,समीक्षा का पाठ,मालिक की टिप्पणी',
  ]) {
    const csv = `${headings}\n2026-01-05,A. N.,4,12 warm rolls,We thank you for so many kind words about us\n`
    const [review] = await reviewsOf(csv)
    assert.equal([review?.author_name, review?.rating, review?.text], ['A. N.', 4, '12 warm rolls'], headings)
    const [text, answer] = headings.split(',').slice(3)
    const named = await prepare(csv.replace(text ?? '', 'XYZ')).catch((error) => error.message)
    assert.not.ok(String(named).includes(`text="${answer}"`), answer)
  }
})

test("the owner's answer is not proposed in other languages either", async () => {
  for (const [wanted, answer] of [
    ['Что понравилось', 'Ответ компании'],
    ['Co się podobało', 'Odpowiedź sprzedawcy'],
    ['お気に入りの点', '店舗からの返答'],
    ['Was uns gefiel', 'Kommentar des Unternehmens'],
  ]) {
    const csv = `Date,${answer},${wanted}\n2026-01-05,Thank you for coming so far to see us all,Warm bread and butter\n`
    try {
      await prepare(csv)
      assert.unreachable()
    } catch (error) {
      assert.ok(error instanceof Error && error.message.includes(`--map text="${wanted}"`), wanted)
    }
  }
})

test('the time at which a program read a page is not the day of its reviews', async () => {
  const rows = [1, 2, 3].map((day) => `2026-05-0${day} 10:00,"January ${day}, 2026",Warm bread and butter ${day}\n`)
  const { rows: found } = await prepare(`timestamp,review_posted_date,review_text\n${rows.join('')}`)
  assert.equal(
    found.map(({ review }) => review.occurred_at.toISOString().slice(0, 10)),
    ['2026-01-01', '2026-01-02', '2026-01-03'],
  )
  const survey = await reviewOf('Timestamp,Name,Feedback\n2026-05-01 10:00,Ann,Warm bread and butter\n')
  assert.is(survey.occurred_at.toISOString(), '2026-05-01T10:00:00.000Z')
})

test('a flag and a number beyond every scale are no ratings beside one', async () => {
  const stars = [5, 4, 2, 5, 1]
  for (const other of ['1', '1767607200.5']) {
    const rows = stars.map((value, row) => `2026-01-05,Warm bread ${row},${other},${value}\n`)
    const found = await reviewsOf(`date,comment,rating,rating_star\n${rows.join('')}`)
    assert.equal(
      found.map(({ rating }) => rating),
      stars,
    )
  }
  const ones = stars.map((_, row) => `2026-01-05,Stale bread ${row},1\n`)
  const rated = await reviewsOf(`date,comment,rating\n${ones.join('')}`)
  assert.ok(rated.every(({ rating }) => rating === 1))
})

test('in a survey the response is the text, and its date the date', async () => {
  const csv = 'Response ID,Response date,Question,Response\nr1,2026-01-05,How was it?,Warm bread and butter\n'
  const review = await reviewOf(csv)
  assert.is(review.text, 'Warm bread and butter')
  assert.is(review.external_id, 'r1')
})

test('a comment that stands beside some of the contents is a remark on them', async () => {
  const csv =
    'id,created_at,content,comment\n1,2026-01-05,Warm bread and butter,Thank you\n2,2026-01-06,Cold bread and tea,\n'
  assert.equal(await textsOf(csv), ['Warm bread and butter', 'Cold bread and tea'])
})

test("the shop's comment is neither the text nor the id, also as an object and where each review has one", async () => {
  const answered = (id: number, content: string) => ({
    id,
    content,
    created_at: '2026-01-05T10:00:00Z',
    user: { display_name: 'Ann' },
    comment: { id: 7, content: 'Thank you for coming', created_at: '2026-01-09T10:00:00Z' },
  })
  const reviews = await reviewsOf(JSON.stringify({ reviews: [answered(1, 'Warm bread'), answered(2, 'Cold tea')] }))
  assert.equal(
    reviews.map(({ external_id, text, occurred_at }) => [external_id, text, occurred_at.toISOString().slice(8, 10)]),
    [
      ['1', 'Warm bread', '05'],
      ['2', 'Cold tea', '05'],
    ],
  )
  const rows = '1767607200,9,5,Warm bread and butter,Thank you\n1767693600,8,4,Cold bread and tea,\n'
  assert.equal(await textsOf(`date,order_id,rating,feedback,comment\n${rows}`), [
    'Warm bread and butter',
    'Cold bread and tea',
  ])
  const alone = [{ comment: { id: 3, content: 'Warm bread and butter' }, created_at: '2026-01-05T10:00:00Z' }]
  assert.is((await reviewOf(JSON.stringify(alone))).external_id, '3')
})

test('an id that all answers to a survey share is none of theirs', async () => {
  const answers = ['Warm bread.', 'Cold tea.', 'Fine cakes.'].map((feedback, index) => ({
    id: index + 7,
    survey_id: 1,
    feedback,
    created_at: '2026-01-05T10:00:00Z',
  }))
  assert.equal(
    (await reviewsOf(JSON.stringify(answers))).map((review) => review.external_id),
    ['7', '8', '9'],
  )
})

test('a date whose zone is known goes before the same date without, and is no choice', async () => {
  const json = JSON.stringify([
    { id: 1, review: 'Warm bread.', date_created: '2026-01-06T00:30:00', date_created_gmt: '2026-01-05T23:30:00' },
  ])
  assert.is((await reviewOf(json)).occurred_at.toISOString(), '2026-01-05T23:30:00.000Z')
  assert.is(await warningsOf(json), '')
})

test('what stands where nothing was written is no half of a review', async () => {
  const csv =
    'Review_Date,Positive_Review,Negative_Review\n8/3/2017,Only the park,No Negative\n8/13/2017,No Positive,n/a\n'
  assert.equal(await textsOf(csv), ['Only the park'])
  const russian =
    'Дата,Положительный отзыв,Отрицательный отзыв\n2026-01-05,Тёплый хлеб,Отрицательный отзыв отсутствует.\n' +
    '2026-01-06,Положительный отзыв отсутствует.,Холодный суп\n'
  assert.equal(await textsOf(russian), ['Тёплый хлеб', 'Холодный суп'])
})

test('a day in Unix seconds is known by that name', async () => {
  const review = await reviewOf('unix_timestamp,text\n1767607200,Warm bread.\n')
  assert.is(review.occurred_at.toISOString(), '2026-01-05T10:00:00.000Z')
})

test("a Korean shop's comment, its id and the stars of the product are known by their names", async () => {
  const review = await reviewOf('id,댓글 id,리뷰 작성일,상품 별점,댓글 내용\n1,__77,2026-01-05,4,빵이 따뜻해요\n')
  assert.equal([review.external_id, review.rating, review.text], ['__77', 4, '빵이 따뜻해요'])
})

test('of several dates that of the review is proposed', async () => {
  const csv = 'Order date,Day of rating,Comment\n2026-01-01,2026-01-05,Warm bread.\n'
  try {
    await prepare(csv)
    assert.unreachable()
  } catch (error) {
    assert.match(error instanceof Error ? error.message : '', /--map date="Day of rating"/)
  }
})

test('German school grades are no stars: the reviews are unrated, with a note', async () => {
  for (const heading of ['Note', 'Gesamtnote']) {
    const csv = `Datum,Kommentar,${heading}\n05.01.2026,Nimmt sich viel Zeit,"1,0"\n06.01.2026,Drei Stunden gewartet,"5,0"\n`
    assert.equal(
      (await reviewsOf(csv)).map(({ rating }) => rating),
      [null, null],
    )
    assert.match(await warningsOf(csv), new RegExp(`"${heading}" .* 1 is the best German school grade`))
    assert.is((await reviewsOf(csv, { map: { rating: heading } }))[1]?.rating, 5)
  }
  const french = await reviewOf("Date de l'avis,Commentaire,Note\n05/01/2026,Pain chaud,4\n")
  assert.is(french.rating, 4)
})

test('stars under a German heading that are mostly 1 and 2 get a note that they may be grades', async () => {
  const told = /most ratings in "Bewertung" are 1 or 2, .* German school grades/
  const file = (heading: string, ...cells: string[]) =>
    `Datum;Kommentar;${heading}\n${cells.map((cell, at) => `0${at + 1}.01.2026;Brot ${at} war warm;${cell}\n`).join('')}`
  assert.match(await warningsOf(file('Bewertung', '1,0', '1,3', '2', '1', '3,7')), told)
  for (const others of [
    ['5', '4', '1', '2', '5'],
    ['1', '1', '1'],
    ['0', '0', '0', '0', '5'],
    ['1', '2', '4', '3', '5'],
  ])
    assert.not.match(await warningsOf(file('Bewertung', ...others)), told, others.join())
  assert.not.match(await warningsOf(file('Sterne', '1', '1', '2', '1', '2')), told)
  const upToSix = await prepare(file('Bewertung', '1', '1', '2', '6', '2'))
  assert.match(
    upToSix.skipped[0]?.message ?? '',
    /--map rating= \(as with German school grades, of which 1 is the best\)/,
  )
})

test("Netreviews' short name of the date is known", async () => {
  const review = await reviewOf('id_review;horodate;rate;review\na1;2026-01-05 10:00;5;Pain chaud et bon\n')
  assert.is(review.occurred_at.toISOString(), '2026-01-05T10:00:00.000Z')
})

test('a heading or a column that names the scale is believed', async () => {
  const rating = async (csv: string) => (await reviewsOf(csv)).map((review) => review.rating)
  assert.equal(await rating('Datum;Text;Bewertung (1-5)\n05.01.2026;Gut;4,00\n'), [4])
  assert.equal(await rating('date,text,Score (1-10)\n2026-01-05,Good,4\n2026-01-05,Fine,10\n'), [2, 5])
  assert.equal(await rating('date,text,rating,rating_range\n2026-01-05,Good,4,10\n2026-01-05,Fine,4,5\n'), [2, 4])
  const unknown = 'date,text,Rating (1-6)\n2026-01-05,Good,2\n'
  assert.equal(await rating(unknown), [null])
  assert.match(await warningsOf(unknown), /its scale is neither 5 nor 10/)
})

test('one rating with decimals beyond 5 shows another scale, for no finger slips to it', async () => {
  const ratings = ['5,8', '3,2', '4,9', '5,0', '4,8', '4,5', '4,4']
  const csv = `Datum;Text;Gesamtbewertung\n${ratings.map((cell) => `05.01.2026;Gut und ruhig;${cell}\n`).join('')}`
  const prepared = await prepare(csv)
  assert.equal([prepared.rows.length, prepared.skipped.length], [0, 7])
  assert.match(prepared.skipped[1]?.message ?? '', /"3,2" is on a scale other .*"5,8"/)
})

test('that a file has reviews of several places is told, unless their names are kept', async () => {
  const csv = (heading: string, other = 'Crane') =>
    `date,text,${heading}\n2026-01-05,Warm bread.,Swan\n2026-01-06,Cold tea.,${other}\n`
  for (const heading of ['Hotel name', 'Nombre del lugar', 'Şube adı', '店舗名'])
    assert.match(await warningsOf(csv(heading)), /names several \("Swan", "Crane"\): the reviews of all/, heading)
  assert.is(await warningsOf(csv('Hotel name', 'Swan')), '', 'one')
  assert.is(await warningsOf(csv('Location')), '', "may be the reviewer's")
  const kept = await prepare(csv('Hotel name'), { metadata: ['Hotel name'] })
  assert.equal([kept.warnings, kept.rows[0]?.review.metadata], [[], { hotel_name: 'Swan' }])
})

test('a text is proposed in languages without blanks too, and numbers in a row are none', async () => {
  const proposed = async (csv: string) => {
    const error: unknown = await prepare(csv).catch((refusal: unknown) => refusal)
    return /--map text=("[^"]+"|COLUMN)/.exec(error instanceof Error ? error.message : '')?.[1]
  }
  assert.is(await proposed('date,学んだこと\n2026-01-05,とても温かいパンでまた来たいです。\n'), '"学んだこと"')
  assert.is(await proposed('date,好きな町\n2026-01-05,東京都\n'), 'COLUMN')
  assert.is(await proposed('date,marks given\n2026-01-05,"3, 4, 3, 3, 4, 5"\n'), 'COLUMN')
})

test('names of places, addresses and how a review was collected are not proposed, and no telephone as the date', async () => {
  const csv = (heading: string, phone = 'Phone') =>
    `${heading},stars,${phone}\nThe Blue Lantern Bakery of Leeds,5,1786783193\nThe Old Pier Café and Bakery,4,1786783194\n`
  const refused = async (content: string) => {
    const error: unknown = await prepare(content).catch((refusal: unknown) => refusal)
    return error instanceof Error ? error.message : ''
  }
  for (const heading of [
    'restaurant',
    'Hotel_Names',
    'placeName',
    'address',
    'review.source',
    'Additional Authors',
    'Cuisine',
    'Product Description',
  ])
    assert.match(await refused(csv(heading)), /--map text=COLUMN.*none of the columns has readable dates/i, heading)
  for (const heading of ['What do you say about our location', 'Their words'])
    assert.ok((await refused(csv(heading))).includes(`--map text="${heading}"`), heading)
  assert.match(await refused(csv('restaurant', 'Sent')), /--map date="Sent"/)
  assert.match(await refused(csv('Their words', 'release_date')), /None of the columns has readable dates/)
})

test('in an export of a survey the day of the response is the date of the review', async () => {
  const csv = 'Response ID,Score,Comment,Response created at\n1,5,Warm bread.,2026-01-05 10:00:00 UTC\n'
  const [row] = (await prepare(csv)).rows
  assert.is(row?.review.occurred_at.toISOString(), '2026-01-05T10:00:00.000Z')
})

test('where several columns may be the text or the date, all are named', async () => {
  const csv =
    'Ordered,Sent,Delivered,Liked so much,Wished for,Shown to\n' +
    '2026-01-01,2026-01-09,2026-01-05,The bread was warm and so was the soup,A table by the window would be very nice to have,Ann B. Coe\n'
  try {
    await prepare(csv)
    assert.unreachable()
  } catch (error) {
    assert.match(
      error instanceof Error ? error.message : '',
      /with --map text="Wished for" --map date="Sent"\. The text could also be "Liked so much"\. The date could also be "Ordered" or "Delivered"\. The columns/,
    )
  }
})

test('what its maker wrote into a survey to try it out is no review', async () => {
  const csv =
    'RecordedDate,Status,DistributionChannel,Comment\n2026-01-05,Survey Preview,preview,Testing the form\n' +
    '2026-01-06,IP Address,anonymous,Warm bread\n2026-01-07,IP Address,preview,Another test\n'
  const { rows, skipped, warnings } = await prepare(csv)
  assert.equal(
    rows.map(({ review }) => review.text),
    ['Warm bread'],
  )
  assert.equal(
    skipped.map(({ reason }) => reason),
    ['not_a_review', 'not_a_review'],
  )
  assert.equal(warnings, [])
  const other = 'date,status,comment\n2026-01-05,published,A preview of summer\n'
  assert.equal((await prepare(other)).rows.length, 1)
  const later = `RecordedDate,Status,Comment\n${'2026-01-06,IP Address,Warm bread\n'.repeat(210)}2026-01-05,Survey Preview,Testing the form\n`
  assert.equal(new Set((await prepare(later)).rows.map(({ review }) => review.text)), new Set(['Warm bread']))
})

test('ratings in other languages are named where none is taken, and notes of other kinds are not', async () => {
  const csv = (heading: string, cell: string) => `date,text,${heading}\n2026-01-05,Warm bread.,${cell}\n`
  for (const heading of [
    'nota_pedido',
    'nota_satisfacao',
    'Satisfaction du client',
    'Ocena obsługi',
    '服务评级',
    'Ranking',
    'Arvosana asiakkaalta',
  ])
    assert.match(await warningsOf(csv(heading, '4')), /may be the rating/, heading)
  for (const [heading, cell] of [
    ['notation_id', '4'],
    ['Notas', 'Soup and bread'],
  ] as const)
    assert.not.match(await warningsOf(csv(heading, cell)), /may be the rating/, heading)
})

test('texts and sources are known in further languages, also with something in brackets of full width', async () => {
  const [review] = await reviewsOf('日期,来源,评论内容（短评）\n2026-01-05,Google,Warm bread.\n')
  assert.equal([review?.text, review?.source], ['Warm bread.', 'google'])
  const [other] = await reviewsOf('tarih,kaynak,metin\n2026-01-05,Google,Warm bread.\n')
  assert.equal([other?.text, other?.source], ['Warm bread.', 'google'])
  const [short] = await reviewsOf('用户,评分,时间,短评\n小王,力荐,2026-01-05,好看\n')
  assert.equal([short?.text, short?.rating, short?.author_name], ['好看', 5, '小王'])
  assert.is((await reviewsOf('Дата,Отзыв,Источник\n2026-01-05,Warm bread.,Google\n'))[0]?.source, 'google')
})

test('a column that may be the rating is named where none is taken', async () => {
  assert.match(
    await warningsOf('date,text,Score of the visit\n2026-01-05,Good,2\n'),
    /"Score of the visit" may be the rating .*--map rating="Score of the visit"/,
  )
})

test('an address or a telephone number never becomes the name of an author, and the id stays', async () => {
  const csv = (name: string) => `date,text,name\n2026-01-05,Warm bread.,${name}\n`
  const stored = await reviewOf(csv('ann@mail.example'))
  assert.is(stored.author_name, 'Anonymous')
  assert.is((await reviewOf(csv('Ann P <ann@mail.example>'))).author_name, 'Ann P')
  assert.is((await reviewOf(csv('+44 113 555 0100'))).author_name, 'Anonymous')
  assert.is((await reviewOf(csv('Ann @ the mill'))).author_name, 'Ann @ the mill')
  assert.not.equal(stored.external_id, (await reviewOf(csv('ben@mail.example'))).external_id)
  assert.match(await warningsOf(csv('ann@mail.example')), /1 row has an e-mail address or telephone number/)
})

test('who asks not to be named is not, neither by a picture, and keeps the id', async () => {
  const csv = (flag: string) =>
    `date,text,name,avatar,is_anonymous\n2026-01-05,Warm.,Ann,https://a.example/a.png,${flag}\n`
  const [named, unnamed] = [await reviewOf(csv('no')), await reviewOf(csv('yes'))]
  assert.equal([named.author_name, named.author_avatar_url], ['Ann', 'https://a.example/a.png'])
  assert.equal([unnamed.author_name, unnamed.author_avatar_url ?? null], ['Anonymous', null])
  assert.is(unnamed.external_id, named.external_id)
  assert.match(await warningsOf(csv('yes')), /1 row has an author who asked not to be named/)
})

test('what a data base calls a customer is no name', async () => {
  const review = await reviewOf('date,text,user\n2026-01-05,Warm.,c0ffee00-1111-4222-8333-444455556666\n')
  assert.is(review.author_name, 'Anonymous')
})

test('a sentiment from 0 to 1 is no rating', async () => {
  const prepared = await prepare('date,text,score\n2026-01-05,Warm.,0.93\n2026-01-05,Cold.,0.12\n2026-01-05,Good.,1\n')
  assert.equal(
    prepared.skipped.map(({ reason }) => reason),
    ['bad_rating', 'bad_rating', 'bad_rating'],
  )
  assert.match(prepared.skipped[0]?.message ?? '', /on a scale other than 1 to 5/)
  assert.is((await reviewsOf('date,text,score\n2026-01-05,Warm.,0.5\n2026-01-05,Good.,4.5\n'))[1]?.rating, 5)
})

test('a proposed --map works when it is pasted', async () => {
  const csv = 'When was it?,What do you want to tell us?,Sterne\n2026-01-05,Warm bread and a warmer welcome,4\n'
  assert.is(await refusalOf(() => prepare(csv)), 'mapping_needed')
  const review = await reviewOf(csv, { map: { text: 'What do you want to tell us?', date: 'When was it?' } })
  assert.is(review.rating, 4)
})

test('headings, statuses and answers of further languages', async () => {
  for (const [headings, status] of [
    ['Дата;Име;Оценка;Мнение;Отговор', 'отхвърлен'],
    ['Datum;Ime i prezime;Ocjena;Recenzija;Odgovor', 'na čekanju'],
    ['Dátum;Meno;Hodnotenie;Recenzia;Odpoveď', 'čaká na schválenie'],
    ['Datum;Ime;Ocena;Mnenje;Odgovor', 'zavrnjeno'],
    ['Kuupäev;Nimi;Hinnang;Arvustus;Vastus', 'peidetud'],
    ['Datums;Vārds;Vērtējums;Atsauksme;Atbilde', 'noraidīts'],
    ['Data;Vardas;Įvertinimas;Atsiliepimas;Atsakymas', 'laukia patvirtinimo'],
    ['Data;Nom;Puntuació;Ressenya;Resposta', 'pendent'],
    ['Dagsetning;Nafn;Einkunn;Umsögn;Svar', 'hafnað'],
    ['تاریخ;نام;امتیاز;نظر;پاسخ', 'مخفی'],
    ['तारीख;नाम;रेटिंग;समीक्षा;उत्तर', 'लंबित'],
    ['Tarih;Ad Soyad;Puan;Yorum;Cevap', 'bekliyor'],
    ['日期;評論者;星等;評論內容;回覆', '隱藏'],
  ]) {
    const rows = ['5;Warm bread and butter.;', `4;Cold soup on a cold day.;${status}`]
    const csv = rows.map((row, at) => {
      const [rating, text, said] = row.split(';')
      return `2026-01-0${at + 5};Ann;${rating};${text};Thank you for coming to see us;${said}`
    })
    const prepared = await prepare(`${headings};Status\n${csv.join('\n')}\n`)
    assert.equal(
      prepared.rows.map(({ hidden, review }) => [hidden, review.rating, review.author_name, review.text]),
      [
        [false, 5, 'Ann', 'Warm bread and butter.'],
        [true, 4, 'Ann', 'Cold soup on a cold day.'],
      ],
      headings,
    )
    const [slash] = await reviewsOf(`${headings}\n5/1/2026;Ann;5;Warm bread and butter.;\n`)
    const isYearFirst = /日期|تاریخ/.test(headings ?? '')
    if (!isYearFirst) assert.is(slash?.occurred_at.toISOString().slice(0, 10), '2026-01-05', headings)
  }
})

test('a list of lodgings has no reviews either, though their hosts describe them and guests rated them', async () => {
  const lodgings =
    'id,last_scraped,name,description,property_type,price,number_of_reviews,review_scores_rating\n1,2026-01-05,Mill,A room above the old mill,Room,80,12,4.8\n'
  const said = await prepare(lodgings).catch((error: Error) => error.message)
  assert.match(String(said), /"description", beside "price" and "property_type", describes what is listed/)
})

test('a list of products or apps has no reviews, though it describes them; a review may be called description elsewhere', async () => {
  const products = 'name,created,description,price,sku\nRye loaf,2026-01-05,A dark loaf of rye and water,4.20,R1\n'
  const said = await prepare(products).catch((error: Error) => error.message)
  assert.match(
    String(said),
    /"description", beside "price" and "sku", describes what is listed\. Name it with --map text=COLUMN/,
  )
  const apps =
    'App,Updated,Score,Installs,Developer,Description\nOven,2026-01-05,4.1,900,Kim,Times your bread for you\n'
  assert.is(await refusalOf(() => prepare(apps)), 'mapping_needed')
  const courses = 'title,created,description,avg_rating,review_count\nRye,2026-01-05,How to bake a loaf of rye,4.6,12\n'
  assert.is(await refusalOf(() => prepare(courses)), 'mapping_needed')
  const articles =
    'id,title,content,date,regular_price,sale_price\n7,Rye,How we bake a loaf of rye,2026-01-05,4.20,3.90\n'
  assert.is(await refusalOf(() => prepare(articles)), 'mapping_needed')
  assert.equal(await textsOf(articles.replace('title', 'author')), ['How we bake a loaf of rye'])
  const explained = 'Column,Description\nrating,How many stars the guest gives\n'
  assert.is(await refusalOf(() => prepare(explained, { date: '2026-01-05' })), 'mapping_needed')
  const events = 'title,created,description\nRye,2026-01-05,An evening about loaves of rye\n'
  assert.match(
    await warningsOf(events),
    /the text is taken from "description", as elsewhere products, events and changes are/,
  )
  assert.equal((await prepare(events, { map: { text: 'description' } })).warnings, [])
  assert.equal(await textsOf('date,name,price,description\n2026-01-05,Ann,4.20,Warm bread.\n'), ['Warm bread.'])
  assert.equal(await textsOf(products.replace('name', 'review')), ['Rye loaf'])
})

test('a number of reviews is no review', async () => {
  const places = 'Place,Updated,Rating,Reviews\nMill,2026-01-05,4.1,"1,203"\nOven,2026-01-06,4.4,87\n'
  assert.is(await refusalOf(() => prepare(places)), 'mapping_needed')
  assert.equal(await textsOf(places.replace('87', 'Warm bread.')), ['1,203', 'Warm bread.'])
  const goods = 'title,date,评价\nRye loaf,2026-01-05,698\nOat loaf,2026-01-06,12\n'
  assert.is(await refusalOf(() => prepare(goods)), 'mapping_needed', 'whatever they are called')
})

test('a list of changes, news or posts may come in, but not without a word', async () => {
  const changes = 'version,date,message\n1.2,2026-01-05,The oven counts the loaves\n'
  assert.match(await warningsOf(changes), /the text is taken from "message", as elsewhere .* changes are described/)
  for (const reviewed of [
    'author,date,message\nAnn,2026-01-05,Warm bread.\n',
    'rating,date,message\n5,2026-01-05,Warm bread.\n',
  ])
    assert.is(await warningsOf(reviewed), '')
  const letters = 'name,email,message,date\nAnn,ann@example.com,When do you open?,2026-01-05\n'
  assert.match(await warningsOf(letters), /the text is taken from "message", as contact forms call theirs: check/)
  assert.is(await warningsOf(letters.replace('email', 'town')), '')
  const posts = 'tweet_id,date,user,text\n7,2026-01-05,Ann,Baking today\n'
  assert.match(await warningsOf(posts), /"tweet_id" is a column of posts and comments on a network/)
  assert.is(await warningsOf(posts.replace('tweet_id', 'id')), '')
})

test('forms name the time of an answer in the language of their owner', async () => {
  for (const heading of ['Horodateur', 'Sygnatura czasowa', 'Отметка времени', 'Zaman damgası', 'タイムスタンプ'])
    assert.equal(await textsOf(`${heading},text\n2026-01-05 10:00:00,Warm bread.\n`), ['Warm bread.'], heading)
})

test('plural headings and more words for stars, in the languages of the headings', async () => {
  const rated = async (csv: string) => (await reviewsOf(csv)).map(({ rating, text }) => [rating, text])
  assert.equal(await rated('datum;recenze;hvezdicky\n5.1.2026;Teplý chléb.;3\n'), [[3, 'Teplý chléb.']])
  assert.equal(await rated('Текст,Рейтинг,Время\nТёплый хлеб.,4,2026-01-05 10:00\n'), [[4, 'Тёплый хлеб.']])
  assert.equal(await rated('Дата,Отзывы\n2026-01-05,Тёплый хлеб.\n'), [[null, 'Тёплый хлеб.']])
  assert.equal(await rated('Data,Opinie,Gwiazdki\n2026-01-05,Ciepły chleb.,5\n'), [[5, 'Ciepły chleb.']])
  assert.equal(await rated('Data,Opinie,gwiazdek\n2026-01-05,Ciepły chleb.,5\n'), [[5, 'Ciepły chleb.']])
  assert.equal(await rated('date,review,ratting\n2026-01-05,Warm bread.,5.0\n'), [[5, 'Warm bread.']])
  assert.equal(await rated('时间,评论内容,评分星级\n2026-01-05,面包很好吃。,s-star4\n'), [[4, '面包很好吃。']])
})

test('headings of Naver, Trendyol and Expedia', async () => {
  const all = async (content: string) =>
    (await reviewsOf(content)).map((review) => [
      review.external_id,
      review.author_name,
      review.rating,
      review.text,
      review.occurred_at.toISOString().slice(0, 10),
    ])
  assert.equal(
    await all('리뷰글번호,구매자평점,리뷰상세내용,등록자,리뷰등록일\n7,4,빵이 따뜻해요.,ann***,2026.01.05.\n'),
    [['7', 'ann***', 4, '빵이 따뜻해요.', '2026-01-05']],
  )
  const trendyol = {
    id: 7,
    comment: 'Ekmek sıcaktı.',
    rate: 4,
    userFullName: 'A** B**',
    commentDateISOtype: '2026-01-05',
  }
  assert.equal(await all(JSON.stringify({ result: { content: [trendyol] } })), [
    ['7', 'A** B**', 4, 'Ekmek sıcaktı.', '2026-01-05'],
  ])
  const expedia = {
    id: '7',
    text: 'Warm bread.',
    reviewScoreWithDescription: { label: '8 out of 10 Very good', value: '8/10 Very good' },
    submissionTime: { longDateFormat: 'Jan 5, 2026' },
    reviewAuthorAttribution: { text: 'Ann' },
  }
  assert.equal(await all(JSON.stringify({ reviews: [expedia] })), [['7', 'Ann', 4, 'Warm bread.', '2026-01-05']])
})

test('scores and authors of guests and buyers in Japanese, Korean and Chinese', async () => {
  const rated = async (csv: string) =>
    (await reviewsOf(csv)).map(({ author_name: author, rating, text }) => [author, rating, text])
  assert.equal(await rated('レビュー日,ゲスト名,クチコミスコア,コメント\n2026-01-05,花子,4,温かいパン。\n'), [
    ['花子', 4, '温かいパン。'],
  ])
  assert.equal(await rated('작성일,작성자,평점,상품평\n2026-01-05,지민,4,빵이 따뜻해요.\n'), [
    ['지민', 4, '빵이 따뜻해요.'],
  ])
  assert.equal(await rated('评论时间,用户昵称,总体评分,评论内容\n2026-01-05,小明,4,面包很热。\n'), [
    ['小明', 4, '面包很热。'],
  ])
})

test.run()
