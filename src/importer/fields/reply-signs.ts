import { REPLY_LABELS } from './reply-in-text.ts'

/** What pages write instead of a name above the reply of a shop, beside what Google's pages write. */
const OF_SHOPS = [
  'Response from the seller',
  'Seller response',
  'Antwort des Verkäufers',
  'Réponse du vendeur',
  'Respuesta del vendedor',
  'Risposta del venditore',
  'Resposta do vendedor',
  'Odpowiedź sprzedawcy',
  'Ответ продавца',
  'Ответ магазина',
  'Відповідь продавця',
  'Satıcı yanıtı',
  'Satıcının cevabı',
  'Balasan penjual',
  'Phản hồi của người bán',
  'ショップからの返信',
  'ストアからの返信',
  '판매자 답변',
  '卖家回复',
  '賣家回覆',
]
const LABELS = new Set([...REPLY_LABELS, ...OF_SHOPS].map((label) => label.toLowerCase()))

/** Whether the name of an author is what a page writes above the business's reply. */
export function isReplyLabel(author: string): boolean {
  return LABELS.has(author.replace(/:$/, '').trimEnd().toLowerCase())
}

/** Some words between thanks and what they are for: "your kind and detailed", but not "your time reading my". */
const SOME = '(?:(?!my )[\\p{L}\\p{M}]+,? ){0,3}'
const NAMED = '(?:,? [\\p{L}\\p{M}]+,?)?'
/** "Thank you for your review", in the languages of the headings: only who was reviewed says so. */
const THANKS = new RegExp(
  [
    `thank(?:s| you)(?: so much| very much)? for (?:your ${SOME}(?:review|feedback|comments?)(?![\\p{L}\\p{M}]| to )|leaving (?:us )?(?:a|your) ${SOME}review)`,
    `dank(?:e)? für (?:ihre|deine|die|eure) ${SOME}(?:bewertung|rezension|rückmeldung)`,
    `merci ${SOME}pour (?:votre|ton) ${SOME}(?:avis|commentaire|retour)`,
    `gracias por (?:tu|su|vuestr[ao]) ${SOME}(?:reseña|comentario|opinión|valoración)`,
    `grazie ${SOME}per (?:la|il) (?:tu|su)[ao] ${SOME}(?:recensione|commento)`,
    `obrigad[ao] pel[ao] (?:sua |seu )?${SOME}(?:avaliação|comentário)`,
    `bedankt voor (?:je|jouw|uw) ${SOME}(?:review|beoordeling|recensie)`,
    `dziękujemy za ${SOME}(?:opinię|recenzję|komentarz)`,
    `(?:спасибо${NAMED}(?: большое)?|благодарим(?: вас)?) за ${SOME}отзыв`,
    `дякуємо${NAMED} за ${SOME}відгук`,
    `yorumunuz için ${SOME}teşekkür`,
    `köszönjük ${SOME}(?:visszajelzés|értékelés|vélemény)`,
    `(?:tak|takk) for (?:din|jeres|deres) ${SOME}(?:anmeldelse|tilbagemelding)`,
    `tack för (?:din|ditt) ${SOME}(?:recension|omdöme)`,
    `děkujeme ${SOME}za ${SOME}(?:hodnocení|recenzi)`,
    `terima kasih (?:atas|untuk) ${SOME}ulasan(?: kakak| anda|nya)`,
    '리뷰(?:를)? (?:남겨|작성해) ?주셔서 감사',
    '口コミ(?:の|を)?(?:ご)?投稿.{0,8}ありがとう',
    '感谢您的(?:评价|点评|评论)',
    'ขอบคุณสำหรับรีวิว',
  ]
    .map((phrase) => `(?:${phrase})`)
    .join('|'),
  'iu',
)
/** Most texts have none of it: the phrases are searched for in the others. */
const MAY_THANK =
  /thank|dank|merci|gracias|grazie|obrigad|dzięk|спасибо|благодарим|дяку|için|köszön|tak|tack|děku|terima|감사|ありがとう|感谢|ขอบคุณ/iu

/** Whether a text thanks for a review, as the reply of a business does. */
export function thanksForReview(text: string): boolean {
  return MAY_THANK.test(text) && THANKS.test(text)
}
