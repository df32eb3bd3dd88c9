import { normalizeHeader } from '../read/headers.ts'

const ANSWER =
  /repl(?:y|ies)|respon[sd]e|answer|antwort|reponse|respuesta|rispost|reactie|antwoord|resposta|svar|owner|merchant|management|developer|返信|(?:business|seller|host|vendor)s?comment|stellungnahme|unternehmens$|inhaber|betreiber|proprietaire|propietario|proprietario|eigenaar/
/** In languages of which few letters would be in the pattern as headings are compared. */
const FOREIGN_ANSWERS = (
  'ответ|відповід|odpowied|odpověd|válasz|răspuns|απάντηση|cevap|yanıt|yanit|vastau|balasan|trả lời|ตอบกลับ|الرد|返答|オーナー|店舗から|' +
  '回复|回覆|商家|卖家|賣家|답글|사장님|판매자'
)
  .split('|')
  .map(normalizeHeader)
const ASKED = /question|reponses?client|customerrespon/

/** Whether a heading may name what the owner of the place wrote back. */
export function isAnswer(header: string): boolean {
  const name = normalizeHeader(header)
  return (ANSWER.test(name) || FOREIGN_ANSWERS.some((word) => name.includes(word))) && !ASKED.test(name)
}

const PRIVATE = /privat|privee?$|internal|intern(?:er?)?$|confidenti|vertraulich|staff|adminnote|notes$/

/** Whether a heading names words that were not written for the public. */
export function isPrivate(header: string): boolean {
  return PRIVATE.test(normalizeHeader(header))
}

const PERSONAL =
  /mail|ipaddress|^ip$|ipadresse|adresseip|direccionip|indirizzoip|phone|telefon|telephone|telefoon|mobile|handy|whatsapp|birth|geburt|passw|postal|streetaddress|^address$|adresse$|indirizzo|direccion|endereco|customerid|userid|taxid|private|privat(?:notiz|nachricht|feedback)|internal|intern(?:e[rs]?)?(?:notiz|note)|confidential|vertraulich|staffnote|adminnote|lastname|surname|familyname|nachname|nomdefamille|apellido|cognome|achternaam|sobrenome|order(?:id|number|no|nr|ref)|booking(?:id|number|no)|reservation(?:id|number|no)|invoice/

/**
 * Whether a heading names personal data, numbers of orders, or words that were not for the public: such a column is kept as
 * metadata only when it is named, never by `--metadata all`.
 */
export function isPersonal(header: string): boolean {
  return PERSONAL.test(normalizeHeader(header))
}
