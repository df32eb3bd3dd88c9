import { setFlagsFromString } from 'node:v8'
import * as assert from 'uvu/assert'
import { announcesComplaint } from '../../server/sentiment/announced-complaint.ts'
import { createSentimentClassifier } from '../../server/sentiment/classifier.ts'
import { suite } from '../suite.ts'

const test = suite('announced complaints')
// In a process of its own: an expression keeps the code with which it was first used.
// V8 does not optimise every expression.
setFlagsFromString('--no-regexp-optimization')

test('a complaint that is announced is found amid praise', () => {
  for (const text of [
    'A lovely house in every way. My only complaint was the kettle, which hissed.',
    'Kind people, good soup. The only downside: stairs.',
    'One minor issue was the lamp, and we slept well.',
    'We had a great time; the gym could be a bit bigger.',
    'Superb view. The carpet could use some attention, and the lobby needs updating.',
    'I must say we were disappointed with the toast, but the rest was wonderful.',
    'I would have preferred a softer pillow. All else was perfect.',
    'The restaurant was mediocre. The terrace is the best in town.',
    'The heating didn’t work at first. Charming staff.',
    'I took off one star because the lift rattled.',
    'The only\n  thing missing was a hook.',
    'Charming rooms and a great view. The music in the bar was way too loud.',
    'The buffet is nice, but it isn’t worth the price.',
    'A good hotel. We expected a bit more from the breakfast.',
    'Kind people, lovely pool. The staff must improve their English.',
    'The soup is good, but it’s not what it used to be.',
    'A beautiful old house in the centre: bring earplugs.',
    'Great food, shame about the rude waiter. Minus one star for that.',
    'Far from perfect, but a good place to stay with children.',
    'Always full, so good luck finding a seat.',
    'A fun evening. We ordered bread twice, and it never came.',
    'Everything was lovely, only the lift was not working.',
    'They are thieves.',
  ]) {
    assert.ok(announcesComplaint(text), text)
    assert.is(createSentimentClassifier()(text, 'excerpt'), 'negative', text)
  }
})

test('the same in German, French, Spanish, Italian, Dutch and Portuguese', () => {
  for (const text of [
    'Ein wunderbares Haus, alles herrlich. Einziger Kritikpunkt: die Treppe knarrt.',
    'Sehr herzliche Gastgeber. Schade, dass der Garten schon geschlossen war.',
    'Tolle Lage, köstliches Frühstück. Die Möbel sind etwas in die Jahre gekommen.',
    'Superbe maison, accueil charmant. Seul petit bémol, le bruit de la rue.',
    'Cuisine délicieuse et belle vue, mais le café laisse vraiment à désirer.',
    'Un séjour merveilleux. Dommage qu’il n’y ait pas d’ascenseur.',
    'Un hotel precioso y un trato excelente. Lo único malo es el ascensor.',
    'Comida riquísima, aunque el postre deja mucho que desear.',
    'Casa bellissima e personale gentilissimo, unica pecca il parcheggio.',
    'Ottima colazione. Peccato che la piscina fosse chiusa.',
    'Prachtig huis en heerlijk ontbijt. Enige minpuntje is de steile trap.',
    'Fantastische ligging, de badkamer kan wel wat moderner.',
    'Hotel maravilhoso, equipe ótima. O único problema é o elevador.',
    'Comida deliciosa, ambiente lindo, só o atendimento deixou um pouco a desejar.',
  ]) {
    assert.ok(announcesComplaint(text), text)
    assert.is(createSentimentClassifier()(text, 'excerpt'), 'negative', text)
  }
  for (const text of [
    'Wir haben keinen einzigen Kritikpunkt, und nichts lässt zu wünschen übrig.',
    'Rien à redire, pas le moindre bémol.',
    'Pequeño pero acogedor, un poco caro pero vale la pena. Podría mejorar: nada.',
    'Non ho trovato neanche un difetto, nessun punto negativo.',
    'Geen minpunten. Het kon niet beter!',
    'Lugar pequeno porém ótimo. Não tem nenhum ponto negativo.',
  ]) {
    assert.not(announcesComplaint(text), text)
  }
})

test('in these languages too, who would not come again or send others, and what was rude or dirty', () => {
  for (const text of [
    'Schöner Blick, aber ich würde das Haus nicht weiterempfehlen.',
    'Die Lage ist top, nur der Preis passt nicht.',
    'Vom Kuchen waren wir enttäuscht, der Rest war toll.',
    'Gute Suppe, unfreundlicher Kellner.',
    'Der Teppich war sehr schmutzig, das Bad groß.',
    'Lekker gegeten, toch raad ik deze zaak niemand aan.',
    'Mooie tuin, maar veel te duur.',
    'Geen aanrader, al is het uitzicht prachtig.',
    'Belle terrasse, je ne recommande pas le menu du jour.',
    'Nous sommes déçus du dessert, le plat était parfait.',
    'La chambre est jolie, on ne reviendra pas.',
    'No lo recomiendo, aunque la terraza es bonita.',
    'Nos decepcionó la cena, lo demás genial.',
    'Non lo consiglio, anche se il terrazzo è bello.',
    'Siamo rimasti delusi dal dolce. Personale scortese.',
    'Não recomendo, apesar da varanda linda.',
    'Não volto mais, apesar do bolo bom.',
  ]) {
    assert.ok(announcesComplaint(text), text)
  }
  for (const text of [
    'Wir wurden nicht enttäuscht, und die Küche enttäuscht auch sonst nie.',
    'Hier passt nicht nur der Kaffee. Wir wollen nie mehr weg.',
    'Vous ne serez pas déçus, aucune déception en dix ans.',
    'Je ne peux que recommander, nous reviendrons.',
    'No decepciona nunca, no puedo dejar de recomendarlo.',
    'Mai delusi, non vedo l’ora di tornare.',
    'Ik raad het iedereen aan, een echte aanrader, niet te duur.',
    'Não decepcionou, não vejo a hora de voltar.',
    'The sales team was friendly.',
  ]) {
    assert.not(announcesComplaint(text), text)
  }
})

test('what is denied is none', () => {
  for (const text of [
    'No complaints at all, not one problem, and nothing could be better.',
    'You won’t be disappointed. We were never once disappointed.',
    'The breakfast was far from disappointing.',
    'It couldn’t be more central, and the staff could not have been friendlier.',
    'There was not a single issue with the room.',
    'Without any drawbacks, and it never disappoints.',
    'An awful lot of choice for the price. Ridiculously good cake.',
    'We couldn’t have expected better, and it is worth the price.',
    'She was not working that day, but left us a note. The wait never took too long.',
    'We expected more noise than there was.',
    'I wish we could have stayed longer. The only thing better than the view is the soup.',
  ]) {
    assert.not(announcesComplaint(text), text)
  }
})

test('a denial counts within its sentence alone', () => {
  assert.ok(announcesComplaint('Not far from the pier. Disappointing soup.'))
})

test('the whole of an unrated review is judged by all of its words, as before', () => {
  const text =
    'Wonderful stay, lovely people, perfect breakfast, great view. My only complaint was the kettle. We loved it!'
  assert.is(createSentimentClassifier()(text), 'positive')
  assert.is(createSentimentClassifier()(text, 'excerpt'), 'negative')
})

test('hostile text takes no longer than other text', () => {
  for (const part of [
    'could be a bit ',
    'not a ',
    'only ',
    ' ',
    'a\n',
    'needs to be ',
    'would have ',
    'x',
    'not worth ',
    'way too ',
    'it never ',
    'was not ',
    'expected a bit ',
    'raad het ',
    'enttäuscht uns ',
    'no lo ',
  ]) {
    const text = part.repeat(20_000 / part.length)
    const began = process.cpuUsage()
    announcesComplaint(text)
    const { user } = process.cpuUsage(began)
    assert.ok(user < 300_000, `${JSON.stringify(part)}: ${user / 1000} ms`)
  }
})

test.run()
