import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { prepare } from '../prepared.ts'

const test = suite('what reviewers agree to')

const csv = (heading: string, answers: string[]) =>
  `created,name,review,"${heading}"\n${answers.map((answer, row) => `2026-01-05,${'ABCDEFG'[row]},Warm bread again,"${answer}"\n`).join('')}`

/** Of each row its author, and an x if it is hidden. */
async function read(heading: string, answers: string[]): Promise<string> {
  const { rows } = await prepare(csv(heading, answers))
  return rows
    .map(({ hidden, review }) => (review.author_name[1] ? '?' : review.author_name) + (hidden ? 'x' : ''))
    .join(' ')
}

test('who does not agree to be published is not, whichever way the form asks', async () => {
  for (const [heading, yes, no] of [
    ['Permission to use', 'Yes', 'No'],
    ['consent_to_publish', 'true', 'false'],
    ['Consent', 'yes', 'no'],
    ['I agree that my review may be used in advertising', 'Yes', 'No'],
    ['Can we use your testimonial in our marketing?', 'Yes', 'No'],
    ['Is it OK to share your feedback on our website?', 'Yes, of course', 'No, please not'],
    ['Are you happy for us to share your feedback?', 'Yes', 'No'],
    ['Approval for publishing', 'Yes', 'No'],
    ['I give permission to use my review and first name on the website', 'Yes', 'No'],
    ['May we publish your name and testimonial?', 'Yes', ''],
    ['Darf Ihre Bewertung mit Vornamen veröffentlicht werden?', 'Ja', 'Nein'],
    ['allowPublishing', '1', '0'],
    ['Darf veröffentlicht werden', 'Ja', 'Nein'],
    ['Dürfen wir Ihre Bewertung zeigen?', 'Ja, gerne', 'Nein danke'],
    ['Einwilligung zur Veröffentlichung', 'ja', 'nein'],
    ['Ich stimme der Veröffentlichung zu', 'Ja', 'Nein'],
    ['Duerfen wir Sie zitieren?', 'Ja', 'Nein'],
    ["J'accepte que mon avis soit publié", 'Oui', 'Non'],
    ['Peut-on publier votre avis ?', 'Oui', 'Non'],
    ['Autorizo la publicación', 'Sí', 'No'],
    ['Acconsento alla pubblicazione', 'Sì', 'No'],
    ['Mag deze review geplaatst worden?', 'Ja', 'Nee'],
    ['Autorizo a publicação', 'Sim', 'Não'],
    ['Zgoda na publikację', 'Tak', 'Nie'],
    ['Souhlas se zveřejněním', 'ano', 'ne'],
    ['Samtycke till publicering', 'Ja', 'Nej'],
    ['Согласие на публикацию', 'Да', 'Нет'],
    ['Yayın izni', 'Evet', 'Hayır'],
    ['掲載許可', 'はい', 'いいえ'],
    ['공개 동의', '예', '아니오'],
    ['同意公开', '是', '否'],
  ] satisfies [string, string, string][])
    assert.is(await read(heading, [yes, no]), 'A Bx', heading)
})

test('the words beside a ticked box are leave, and their opposites are none', async () => {
  for (const [yes, no] of [
    ['I agree', "I don't agree"],
    ['I agree', 'I disagree'],
    ['I allow you to publish my review without my name', 'I do not allow it'],
    ['Ich stimme zu', 'Ich stimme nicht zu'],
    ["J'accepte", "Je n'accepte pas"],
    ['Accetto', 'Non accetto'],
    ['Zgadzam się', 'Nie zgadzam się'],
    ['Souhlasím', 'Nesouhlasím'],
    ['Suostun', 'En suostu'],
    ['Kabul ediyorum', 'Kabul etmiyorum'],
    ['同意する', '同意しない'],
    ['동의합니다', '동의하지 않습니다'],
  ] satisfies [string, string][])
    assert.match(await read('May we publish your review?', [yes, no, '']), /^. .x Cx$/, no)
  assert.is(await read('I agree that my review is published', ['I agree', '', 'I agree']), 'A Bx C')
  assert.is(await read('Consent', ['I agree', '', 'I agree']), 'A Bx C')
})

test('no answer is no leave, unless nobody was asked', async () => {
  assert.is(await read('Permission to publish', ['Yes', '', 'No']), 'A Bx Cx')
  assert.is(await read('Permission to publish', ['', '']), 'A B')
})

test('other questions hide no review', async () => {
  for (const heading of [
    'Do you agree that it is easy to use?',
    'Can you use it every day?',
    'Would you share it with a friend?',
    'Were you happy with what our staff shared and displayed?',
    'May we publish your photo?',
    'I accept the terms of use',
    'Consent to the use of cookies',
    'Marketing e-mail consent',
    'Public transport',
  ])
    assert.is(await read(heading, ['Yes', 'No']), 'A B', heading)
})

test('a heading of names asks for nothing', async () => {
  for (const heading of [
    'displayName',
    'Reviewer display name',
    'authorAttribution.displayName',
    'publisher_name',
    'Name used',
  ]) {
    const { rows } = await prepare(csv(heading, ['Ola N.', 'No Ngoc']))
    assert.ok(
      rows.every(({ hidden, review }) => !hidden && review.author_name !== 'Anonymous'),
      heading,
    )
  }
})

test('who does not want to be named is not', async () => {
  for (const [heading, yes, no] of [
    ['Show my name?', 'Yes', 'No'],
    ['May we show your name?', 'Yes', 'No, keep me anonymous'],
    ['Use of your name', 'yes', ''],
    ['May we show your name with your review?', 'Yes', 'No'],
    ["May we publish the reviewer's name?", 'Yes', 'No'],
    ['Dürfen wir Ihren Namen veröffentlichen?', 'Ja', 'Nein'],
    ['Autorizo mostrar mi nombre', 'Sí', 'No'],
    ['May we publish your review?', 'Yes', 'Yes, but without my name'],
    ['Veröffentlichung erlaubt?', 'Ja', 'Ja, anonym'],
  ] satisfies [string, string, string][])
    assert.is(await read(heading, [yes, no]), 'A ?', heading)
})

test('nor is the picture shown of who does not want to be named', async () => {
  const picture = 'https://example.com/a.png'
  const { rows } = await prepare(
    `date,name,review,avatar,Show my name?\n2026-01-05,Ann,Warm bread.,${picture},Yes\n2026-01-05,Ben,Cold tea.,${picture},No\n`,
  )
  assert.equal(
    rows.map(({ review }) => [review.author_name, review.author_avatar_url]),
    [
      ['Ann', picture],
      ['Anonymous', undefined],
    ],
  )
})

test.run()
