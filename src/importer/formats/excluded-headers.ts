import { normalizeHeader } from '../read/headers.ts'

const REPLY =
  /repl(?:y|ies)|respon[sd]e|answer|antwort|reponse|respuesta|rispost|reactie|antwoord|resposta|svar|owner|merchant|management|developer|返信|(?:business|seller|host|vendor|agency)s?comment|stellungnahme|unternehmens$|inhaber|betreiber|proprietaire|propietario|proprietario|eigenaar/
/** Normalized separately, because the pattern is matched against normalized headers. */
const FOREIGN_REPLIES = (
  'ответ|відповід|odpowied|odpověd|válasz|răspuns|απάντηση|cevap|yanıt|yanit|vastau|balasan|trả lời|ตอบกลับ|الرد|返答|オーナー|店舗から|' +
  'отговор|odgovor|odpoveď|vastus|atbilde|atsakym|پاسخ|उत्तर|जवाब|回复|回覆|商家|卖家|賣家|业主|業主|답글|사장님|업체|판매자|' +
  'رد صاحب|رد المالك|رد من|תגובת ה|תגובה מה|เจ้าของ|chủ sở hữu|phản hồi của|phản hồi từ|pemilik|मालिक|владел|власник|właściciel|majitel|ιδιοκτήτη|tulajdonos|omistaja'
)
  .split('|')
  .map(normalizeHeader)
const ASKED = /question|reponses?client|customerrespon/

/** Whether a header may name the owner's reply. */
export function isReply(header: string): boolean {
  const name = normalizeHeader(header)
  return (REPLY.test(name) || FOREIGN_REPLIES.some((word) => name.includes(word))) && !ASKED.test(name)
}

/** "Anything that only we should know?" */
const FOR_US =
  'onlyus(?!e)|justforus|forusonly|only(?:we|wewill|weshould)(?:know|see|read)|notbe(?:shared|published)|nurfuruns'
const PRIVATE = new RegExp(
  `privat|privee?$|internal|intern(?:er?)?$|confidenti|vertraulich|staff|adminnote|notes$|${FOR_US}`,
)

/** Whether a header names text that was not written for the public. */
export function isPrivate(header: string): boolean {
  return PRIVATE.test(normalizeHeader(header))
}

const PERSONAL = new RegExp(
  'mail|ipaddress|^ip$|ipadresse|adresseip|direccionip|indirizzoip|phone|telefon|telephone|telefoon|mobile|handy|whatsapp|birth|geburt|passw|postal|streetaddress|^address$|adresse$|indirizzo|direccion|endereco|customerid|userid|taxid|private|privat(?:notiz|nachricht|feedback)|internal|intern(?:e[rs]?)?(?:notiz|note)|confidential|vertraulich|staffnote|adminnote|lastname|surname|familyname|nachname|nomdefamille|apellido|cognome|achternaam|sobrenome|order(?:id|number|no|nr|ref)|(?:booking|reservation|appointment|patient|insurance)(?:id|number|no)|(?:patienten|versicherten|versicherungs|termin)(?:id|nummer|nr)|invoice|^(?:entry|agent|ticket|customer|client|contact|support|call|followup)?notes$|' +
    FOR_US,
)

/**
 * Whether a header names personal data, order numbers or private text: such a column is kept as metadata only when the
 * user names it, never by `--metadata all`.
 */
export function isPersonal(header: string): boolean {
  return PERSONAL.test(normalizeHeader(header))
}

const FIRST_NAME = /^(?:vorname|pr[ée]nom|voornaam|förnamn|fornavn|křestní jméno|etunimi)$/i
const BARE_NAME = /^(?:name|nom|naam|namn|navn|jméno|nimi)$/i

/** Whether a bare "Name" is the family's, because the first name has a column of its own. */
export function isFamilyName(header: string, headers: readonly string[]): boolean {
  return BARE_NAME.test(header) && headers.some((other) => FIRST_NAME.test(other))
}
