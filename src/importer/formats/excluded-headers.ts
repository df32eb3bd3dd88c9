import { normalizeHeader } from '../read/headers.ts'

const ANSWER =
  /repl(?:y|ies)|respon[sd]e|answer|antwort|reponse|respuesta|rispost|reactie|antwoord|resposta|svar|owner|merchant|management|developer|返信/
const ASKED = /question|reponses?client|customerrespon/

/** Whether a heading may name what the owner of the place wrote back. */
export function isAnswer(header: string): boolean {
  const name = normalizeHeader(header)
  return ANSWER.test(name) && !ASKED.test(name)
}

const PRIVATE =
  /privat|prive(?:e)?$|internal|intern(?:e|er)?$|confidential|vertraulich|confidenti|staff|adminnote|notes$/

/** Whether a heading names words that were not written for the public. */
export function isPrivate(header: string): boolean {
  return PRIVATE.test(normalizeHeader(header))
}

/** Columns with personal data, numbers of orders, or words that were not for the public: never kept as metadata by `--metadata all`, only when named. */
const PERSONAL =
  /e?mail|ipaddress|^ip$|ipadresse|adresseip|direccionip|indirizzoip|phone|telefon|telephone|telefoon|mobile|handy|whatsapp|birth|geburt|passw|postal|streetaddress|^address$|adresse$|indirizzo|direccion|endereco|customerid|userid|consumeruserid|taxid|private|privat(?:e[rsnm]?)?(?:notiz|nachricht|feedback)|internal|intern(?:e[rs]?)?(?:notiz|note)|confidential|vertraulich|staffnote|adminnote|lastname|surname|familyname|nachname|nomdefamille|apellido|cognome|achternaam|sobrenome|order(?:id|number|no|nr|ref)|booking(?:id|number|no)|reservation(?:id|number|no)|invoice/

export function isPersonalHeader(header: string): boolean {
  return PERSONAL.test(normalizeHeader(header))
}
