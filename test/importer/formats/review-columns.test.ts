import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { prepare, reviewsOf } from '../prepared.ts'

const test = suite('columns beside those of the review')

const warningsOf = async (content: string) => (await prepare(content)).warnings.map(({ message }) => message).join('\n')

test('the average of a product is no rating beside that of the review', async () => {
  const csv =
    'date,body,overall_rating,rating\n2026-01-05,Warm bread.,4.6,5\n2026-01-06,Cold tea.,4.6,2\n2026-01-07,Fine.,4.6,3.5\n'
  const stars = (await reviewsOf(csv)).map(({ rating }) => rating)
  assert.equal(stars, [5, 2, 4])
  assert.match(await warningsOf(csv), /the rating is taken from "rating"; it could also be "overall_rating"/)
  const alone = (await reviewsOf(csv.replaceAll(/,[^,]+$/gm, ''))).map(({ rating }) => rating)
  assert.equal(alone, [5, 5, 5], 'alone it is the rating')
})

test("a customer's profession makes no row one of the owner", async () => {
  const csv = (...roles: string[]) =>
    `date,text,role\n${roles.map((role, day) => `2026-01-0${day + 1},Warm bread ${day}.,${role}\n`).join('')}`
  const imported = async (...roles: string[]) => (await reviewsOf(csv(...roles))).length
  assert.is(await imported('Owner', 'Manager', 'Head baker', 'Teacher'), 4)
  assert.is(await imported('Family', 'Business', 'Couple'), 3)
  assert.is(await imported('customer', 'owner', 'guest', 'owner'), 2)
})

test('a word for the score is no review beside the comments', async () => {
  const rows = '2026-01-05,Exceptional stay,Warm bread and butter\n2026-01-06,Very good stay,Cold tea and cake\n'
  const texts = async (header: string) => (await reviewsOf(header + rows)).map(({ text }) => text)
  assert.equal(await texts('date,ratingText,reviewComments\n'), ['Warm bread and butter', 'Cold tea and cake'])
  assert.equal(await texts('date,Rating text,Other\n'), ['Exceptional stay', 'Very good stay'], 'alone it is the text')
})

test('the whole review is the text beside its pros and cons, in other languages too', async () => {
  const [review] = await reviewsOf(
    'Дата,Достоинства,Недостатки,Полный отзыв\n2026-01-05,Тепло,Нет,Хлеб был ещё тёплым и вкусным\n',
  )
  assert.is(review?.text, 'Хлеб был ещё тёплым и вкусным')
})

test('numbers of likes and dislikes are no words of a review', async () => {
  const votes = 'date,content,likes,dislikes\n2026-01-05,Warm bread.,3,0\n'
  assert.is(await warningsOf(votes), '')
  assert.match(
    await warningsOf(votes.replace('3,0', 'Bread,Tea')),
    /"likes" and "dislikes" also have words of the review/,
  )
})

test('reviews that wait for moderation are hidden', async () => {
  for (const header of ['on_moderation', 'pending', 'isPending', 'awaiting_moderation']) {
    const { rows } = await prepare(`date,text,${header}\n2026-01-05,Warm bread.,false\n2026-01-06,Cold tea.,true\n`)
    assert.equal(
      rows.map(({ hidden }) => hidden),
      [false, true],
      header,
    )
  }
})

test("a shop's own words for its reviews are known: Rakuten, Zen Cart and others", async () => {
  const rakuten =
    'レビュータイプ,商品名,レビュー詳細URL,評価,投稿時間,タイトル,レビュー本文,フラグ,注文番号,未対応フラグ\n' +
    '商品レビュー,食パン,https://review.rakuten.co.jp/item/1/1_2/a/,5,2026/01/05 10:20,おいしい,ふわふわでした,,1-2,\n'
  const [ofRakuten] = await reviewsOf(rakuten)
  assert.is(ofRakuten?.url, 'https://review.rakuten.co.jp/item/1/1_2/a/')
  assert.equal([ofRakuten?.text, ofRakuten?.rating], ['ふわふわでした', 5])
  const zencart =
    'reviews_id,products_id,customers_id,customers_name,reviews_rating,date_added,status,reviews_text\n' +
    '7,1,3,Ann,4,2026-01-05 10:00:00,1,Warm bread and butter.\n'
  const [ofZencart] = await reviewsOf(zencart)
  assert.equal([ofZencart?.external_id, ofZencart?.author_name, ofZencart?.rating], ['7', 'Ann', 4])
  const [japanese] = await reviewsOf(
    'レビューID,レビュワー名,レビュワー評価,レビュー日時,レビュー本文,オーナー返信\nr1,田中,4,2026年1月5日,ふわふわでした,またどうぞ\n',
  )
  assert.equal(
    [japanese?.external_id, japanese?.author_name, japanese?.rating, japanese?.text],
    ['r1', '田中', 4, 'ふわふわでした'],
  )
})

test('ids keep short reviews of one day apart, in the words of several languages', async () => {
  for (const id of ['avis_id', 'id_avaliacao', 'id_reseña', 'id_ulasan', 'reviews_id'])
    assert.is((await reviewsOf(`${id},date,text\n1,2026-01-05,Super\n2,2026-01-05,Super\n`)).length, 2, id)
})

test('an address with a place left open for the size of the picture is no picture', async () => {
  const [review] = await reviewsOf('date,text,avatar\n2026-01-05,Warm bread.,https://x.example/get/1/{size}\n')
  assert.is(review?.author_avatar_url, undefined)
})

test('of ratings for food, service and value the overall one is the rating', async () => {
  const of = async (rating: object) =>
    (await reviewsOf(JSON.stringify([{ text: 'Warm bread.', date: '2026-01-05', rating }])))[0]?.rating
  assert.is(await of({ overall: 4, food: 5, service: 3, value: 2 }), 4)
  assert.is(await of({ value: 2, food: 5, overall: 4 }), 4)
  assert.is(await of({ value: 2, food: 5, service: 3 }), null)
  assert.is(await of({ value: 2, max: 5 }), 2)
})

test('rows of the business among those of customers are no reviews', async () => {
  for (const [heading, of, by] of [
    ['parent', '', 'r1'],
    ['is_owner', 'false', 'true'],
    ['sender', 'customer', 'business'],
    ['Type', '', 'spam'],
    ['direction', 'inbound', 'outbound'],
  ]) {
    const csv = `id,date,author,text,${heading}\nr1,2026-01-05,Ann,Warm bread.,${of}\nr2,2026-01-06,Lantern,Thank you for coming.,${by}\n`
    assert.equal(
      (await reviewsOf(csv)).map((review) => review.author_name),
      ['Ann'],
      heading,
    )
  }
  const owners =
    'date,author,text,is_owner\n2026-01-05,Ann,Warm seats.,yes\n2026-01-06,Ben,Quick car.,yes\n2026-01-07,Cleo,Loud.,no\n'
  assert.is((await reviewsOf(owners)).length, 3, 'of the product')
  const sections = 'id,date,author,text,parent\nr1,2026-01-05,Ann,Warm bread.,\nr2,2026-01-06,Ben,Cold tea.,Cakes\n'
  assert.is((await reviewsOf(sections)).length, 2, 'a category')
})

test('an answer is none of the reviews also where it and its parent stand behind hundreds of them', async () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, row) => `r${row},2026-01-05,Ann,Warm bread ${row}.,\n`).join('')
  const csv = (parent: string) => `id,date,author,text,parent\n${rows(300)}a1,2026-01-06,Lantern,Thank you.,${parent}\n`
  const { rows: read, skipped } = await prepare(csv('r250'))
  assert.equal([read.length, skipped.map(({ message }) => message)], [300, ['is not a customer review: "parent=r250"']])
  assert.is((await reviewsOf(csv('Cakes'))).length, 301, 'a category')
  const products = `id,date,text,parent\n${rows(300).replaceAll('Ann,', '').replace(/,$/gm, ',r7')}`
  assert.is((await reviewsOf(products)).length, 300, 'where each has one it is the product')
})

test('the exports of forms have the day of each answer, whatever the form calls it', async () => {
  for (const heading of ['Completion time', 'Entry Date', 'Submission Date', 'Submitted at', 'RecordedDate'])
    assert.is((await reviewsOf(`${heading},Your review\n2026-01-05 10:00:00,Warm bread.\n`)).length, 1, heading)
})

test('ids are read from links that name them, unless there is a column of ids or several rows share one', async () => {
  const link = (id: string) => `https://play.example/details?reviewId=${id}&corpus=all`
  const csv = (ids: string[], also = 'ref') =>
    `Date,Review,Link,${also}\n${ids.map((id, row) => `2026-01-05,Warm bread ${row},${id},n${row}\n`).join('')}`
  const idsOf = async (content: string, options = {}) =>
    (await reviewsOf(content, options)).map(({ external_id: id }) => id.replace(/^h1-.*/, 'made'))
  const named = csv([link('gp%3AOne'), link('b-2'), `https://play.example/?x=1&review_id=c-3`])
  assert.equal(await idsOf(named), ['gp:One', 'b-2', 'c-3'])
  assert.match((await prepare(named)).warnings[0]?.message ?? '', /ids are those that the links in "Link" name/)
  assert.equal(await idsOf(named, { map: { id: '' } }), ['made', 'made', 'made'])
  // As an errors.csv says how the rows were read.
  assert.equal(await idsOf(named, { map: { url: 'Link', id: 'Link' } }), ['gp:One', 'b-2', 'c-3'])
  assert.equal(await idsOf(csv([link('a'), link('b'), ''])), ['a', 'b', 'made'])
  assert.equal(await idsOf(csv([link('a'), link('b'), link('c')], 'review_id')), ['n0', 'n1', 'n2'])
  const ofProduct = ['1', '2', '3'].map((page) => `https://shop.example/?page=${page}&reviewId=77`)
  assert.equal(await idsOf(csv(ofProduct)), ['made', 'made', 'made'])
  assert.equal(await idsOf(csv([link('a'), 'https://play.example/', link('c')])), ['made', 'made', 'made'])
  assert.equal(await idsOf(csv([link('%E0%A4%A')])), ['%E0%A4%A'])
})

test('sentences below no heading, as of "Other (please specify)" in a survey, are left out with a note', async () => {
  const csv = (other: string) =>
    `date,text,How did you find us?,\n,,Response,Other (please specify)\n2026-01-05,Warm bread.,Other,${other}\n2026-01-06,Cold tea.,Search,\n`
  const note = /"column 4", which has no heading of its own, has sentences that are left out/
  assert.match(await warningsOf(csv('A neighbour spoke of the cakes here.')), note)
  assert.not.match(await warningsOf(csv('0')), note)
  assert.not.match(await warningsOf(csv('')), note)
})

test('the heading of a review, and not what it is about, is its title', async () => {
  const [review] = await reviewsOf('date,subject,heading,body\n2026-01-05,product,Good,Warm bread.\n')
  assert.is(review?.metadata?.title, 'Good')
})

test.run()
