import * as assert from 'uvu/assert'
import { prepareImport } from '../../../src/importer/rows/prepare.ts'
import { suite } from '../../suite.ts'

const test = suite('files of other scales, scripts and languages')

const read = (text: string | Buffer, name = 'a.csv') => prepareImport([{ name, bytes: Buffer.from(text) }])
const ratingsOf = async (ratings: readonly string[]) => {
  const rows = ratings.map((rating, i) => `2026-01-05,"${rating}",Text number ${i}.`)
  const { rows: taken, skipped } = await read(`date,rating,text\n${rows.join('\n')}\n`)
  return { taken: taken.map(({ review }) => review.rating), skipped: skipped.map(({ message }) => message) }
}

test('a 5 of 10 never becomes five stars: the scale is that of the whole file', async () => {
  for (const ratings of [
    ['10', '8', '5'],
    ['5', '4', '3', '2', '9'],
    ['3.0', '9.6', '7,5'],
    ['5', '100', '80'],
  ]) {
    const { taken, skipped } = await ratingsOf(ratings)
    assert.equal(taken, [], ratings.join(' '))
    assert.is(skipped.length, ratings.length)
    assert.match(skipped.join('\n'), /is on a scale other than 1 to 5, as "\d+[.,]?\d*" in row \d+ shows/)
  }
})

test('also where only the rows behind the first hundreds show it', async () => {
  const { taken } = await ratingsOf([...Array(300).fill('5'), ...Array(100).fill('9')])
  assert.equal(taken, [])
})

test('a slip among many is one bad row; ratings that say their scale, unrated ones and other columns stay', async () => {
  const slip = await ratingsOf([...Array(30).fill('4'), '55'])
  assert.equal([slip.taken.length, slip.skipped.length], [30, 1])
  const said = await ratingsOf(['4/5', '★★★', '2 stars', '0', '', '8', '9'])
  assert.equal(said.taken, [4, 3, 2, null, null])
})

test('headings and dates of exports in sixteen further languages are known', async () => {
  const files: [string, string, string][] = [
    ['投稿日,投稿者,評価,口コミ\n2026年1月5日,田中,5,とても静かな部屋でした。\n', '田中', '2026-01-05'],
    ['日期,用户名,评分,评论内容\n2026年01月05日 12:30,王,4,房间很安静。\n', '王', '2026-01-05'],
    ['작성일,작성자,별점,리뷰\n2026. 1. 5.,김,3,방이 조용해요.\n', '김', '2026-01-05'],
    ['Дата;Имя;Оценка;Отзыв\n5 января 2026 г.;Иван;5;Очень тихий номер.\n', 'Иван', '2026-01-05'],
    ['Data dodania;Imię;Ocena;Opinia\n5 stycznia 2026;Ewa;5;Bardzo cichy pokój.\n', 'Ewa', '2026-01-05'],
    ['Tarih;İsim;Puan;Yorum\n5 Ağustos 2026;Ali;5;Çok sessiz bir oda.\n', 'Ali', '2026-08-05'],
    ['التاريخ,الاسم,التقييم,المراجعة\n2026-01-05,علي,5,غرفة هادئة جدا.\n', 'علي', '2026-01-05'],
    ["Дата;Ім'я;Оцінка;Відгук\n5 січня 2026;Іван;5;Дуже тихий номер.\n", 'Іван', '2026-01-05'],
    ['Datum;Jméno;Hodnocení;Recenze\n5. ledna 2026;Jana;5;Velmi tichý pokoj.\n', 'Jana', '2026-01-05'],
    ['Dátum;Név;Értékelés;Vélemény\n2026. január 5.;Anna;5;Nagyon csendes szoba.\n', 'Anna', '2026-01-05'],
    ['Data,Nume,Evaluare,Recenzie\n5 ianuarie 2026,Ana,5,Camera a fost liniștită.\n', 'Ana', '2026-01-05'],
    ['Ημερομηνία,Όνομα,Βαθμολογία,Κριτική\n5 Ιανουαρίου 2026,Νίκος,5,Πολύ ήσυχο δωμάτιο.\n', 'Νίκος', '2026-01-05'],
    ['Päivämäärä;Nimi;Arvosana;Arvostelu\n5. tammikuuta 2026;Anna;5;Hyvin hiljainen huone.\n', 'Anna', '2026-01-05'],
    ['Dato;Navn;Vurdering;Omtale\n5. januar 2026;Anna;5;Et veldig stille rom.\n', 'Anna', '2026-01-05'],
    ['תאריך,שם,דירוג,ביקורת\n05/01/2026,דנה,5,חדר שקט מאוד.\n', 'דנה', '2026-01-05'],
    ['วันที่,ชื่อ,คะแนน,รีวิว\n05/01/2026,สมชาย,5,ห้องเงียบมาก\n', 'สมชาย', '2026-01-05'],
    ['Ngày,Tên,Số sao,Nhận xét\n05/01/2026,An,5,Phòng rất yên tĩnh.\n', 'An', '2026-01-05'],
    ['Tanggal,Nama,Penilaian,Ulasan\n5 Januari 2026,Budi,5,Kamarnya sangat tenang.\n', 'Budi', '2026-01-05'],
  ]
  for (const [text, author, day] of files) {
    const { rows, skipped } = await read(text)
    assert.equal(skipped, [])
    const [row] = rows
    assert.equal([row?.review.author_name, row?.review.occurred_at.toISOString().slice(0, 10)], [author, day], text)
    assert.ok((row?.review.rating ?? 0) >= 3)
  }
})

test('the name of a user within an object is the author', async () => {
  const review = { id: 1, published_date: '2026-02-03', rating: 5, text: 'Great tour.', user: { username: 'ann' } }
  const { rows } = await read(JSON.stringify([review]), 'tripadvisor.json')
  assert.is(rows[0]?.review.author_name, 'ann')
})

test('ratings become stars when their best is named', async () => {
  const csv = 'date,rating,text\n2026-01-05,9.2,One\n2026-01-05,7,Two\n2026-01-05,1,Three\n2026-01-05,12,Four\n'
  const { rows, skipped } = await prepareImport([{ name: 'a.csv', bytes: Buffer.from(csv) }], { rating_scale: 50 })
  assert.equal(
    rows.map(({ review }) => review.rating),
    [1, 1, 1, 1],
  )
  assert.equal(skipped, [])
  const ten = await prepareImport([{ name: 'a.csv', bytes: Buffer.from(csv.replace('12', '0')) }], { rating_scale: 10 })
  assert.equal(
    ten.rows.map(({ review }) => review.rating),
    [5, 4, 1, null],
  )
  assert.match((await read(csv)).skipped[0]?.message ?? '', /--rating-scale 10/)
  const written =
    'date,rating,text\n2026-01-05,8/10,One\n2026-01-05,9 out of 10,Two\n2026-01-05,4/5,Three\n2026-01-05,3,Four\n'
  const own = await read(written)
  assert.equal(
    own.rows.map(({ review }) => review.rating),
    [4, 5, 4],
  )
  assert.match(own.skipped[0]?.message ?? '', /^the rating "3" may be out of 10, as "8\/10" in row 2 is/)
  for (const [scale, bare] of [
    [10, 2],
    [5, 3],
  ] as const) {
    const said = await prepareImport([{ name: 'a.csv', bytes: Buffer.from(written) }], { rating_scale: scale })
    assert.equal(
      said.rows.map(({ review }) => review.rating),
      [4, 5, 4, bare],
      `--rating-scale ${scale}`,
    )
  }
  const beyond = await prepareImport([{ name: 'a.csv', bytes: Buffer.from(csv) }], { rating_scale: 10 })
  assert.match(beyond.skipped[0]?.message ?? '', /^the rating "9\.2" is/, 'as it stands in the file')
})

test.run()
