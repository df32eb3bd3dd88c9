import { normalizeHeader } from '../read/headers.ts'

const REPLY =
  /repl(?:y|ies)|respon[sd]e|answer|antwort|reponse|respuesta|rispost|reactie|antwoord|resposta|svar|owner|merchant|management|developer|返信|(?:business|seller|host|vendor)s?comment|stellungnahme|unternehmens$|inhaber|betreiber|proprietaire|propietario|proprietario|eigenaar/
/** Normalized separately, because the pattern is matched against normalized headers. */
const FOREIGN_REPLIES = (
  'ответ|відповід|odpowied|odpověd|válasz|răspuns|απάντηση|cevap|yanıt|yanit|vastau|balasan|trả lời|ตอบกลับ|الرد|返答|オーナー|店舗から|' +
  'отговор|odgovor|odpoveď|vastus|atbilde|atsakym|پاسخ|उत्तर|जवाब|回复|回覆|商家|卖家|賣家|답글|사장님|판매자'
)
  .split('|')
  .map(normalizeHeader)
const ASKED = /question|reponses?client|customerrespon/

/** Whether a header may name the owner's reply. */
export function isReply(header: string): boolean {
  const name = normalizeHeader(header)
  return (REPLY.test(name) || FOREIGN_REPLIES.some((word) => name.includes(word))) && !ASKED.test(name)
}

const PRIVATE = /privat|privee?$|internal|intern(?:er?)?$|confidenti|vertraulich|staff|adminnote|notes$/

/** Whether a header names text that was not written for the public. */
export function isPrivate(header: string): boolean {
  return PRIVATE.test(normalizeHeader(header))
}

const PERSONAL =
  /mail|ipaddress|^ip$|ipadresse|adresseip|direccionip|indirizzoip|phone|telefon|telephone|telefoon|mobile|handy|whatsapp|birth|geburt|passw|postal|streetaddress|^address$|adresse$|indirizzo|direccion|endereco|customerid|userid|taxid|private|privat(?:notiz|nachricht|feedback)|internal|intern(?:e[rs]?)?(?:notiz|note)|confidential|vertraulich|staffnote|adminnote|lastname|surname|familyname|nachname|nomdefamille|apellido|cognome|achternaam|sobrenome|order(?:id|number|no|nr|ref)|booking(?:id|number|no)|reservation(?:id|number|no)|invoice/

/**
 * Whether a header names personal data, order numbers or private text: such a column is kept as metadata only when the
 * user names it, never by `--metadata all`.
 */
export function isPersonal(header: string): boolean {
  return PERSONAL.test(normalizeHeader(header))
}
