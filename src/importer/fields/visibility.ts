import { normalizeWord, shortCell } from './short-cell.ts'
import { foreignVisibility } from './status-words.ts'
import { isNo, isYes } from './yes-no.ts'

export type Visibility = 'shown' | 'hidden' | 'spam'

/** Words without accents, in languages with few inflected forms; other languages have stems. */
const SHOWN = `
  published publish approved active visible live ok public yes true 1 enabled displayed accepted on show shown online featured validated y t
  veroffentlicht freigegeben freigeschaltet sichtbar aktiv genehmigt bestatigt offentlich angezeigt ja
  publie publiee approuve approuvee valide validee actif active affiche affichee oui
  publicado publicada aprobado aprobada activo activa si
  pubblicato pubblicata approvato approvata attivo attiva visibile
  gepubliceerd goedgekeurd zichtbaar actief
  aprovado aprovada ativo ativa visivel sim`
const HIDDEN = `
  unpublished hidden pending rejected draft archived disabled inactive expired no false 0 deleted removed flagged held moderated unapproved
  private off trash disapproved declined blocked suspended reported hide hold waiting awaiting queued moderation quarantined suppressed
  trashed withdrawn refused denied invalid banned offline unpublish unlisted internal n f
  unveroffentlicht versteckt ausgeblendet verborgen wartend ausstehend abgelehnt geloscht gesperrt entwurf prufung moderiert inaktiv
  zuruckgezogen deaktiviert privat wartet nein
  masque masquee cache cachee attente refuse refusee rejete rejetee supprime supprimee depublie depubliee brouillon inactif prive privee non
  pendiente rechazado rechazada oculto oculta eliminado eliminada borrado borrada borrador desaprobado inactivo privado moderacion revision reprobado
  attesa rifiutato rifiutata nascosto nascosta bozza cancellato cancellata inattivo privato moderazione
  afwachting afgewezen afgekeurd verwijderd concept inactief moderatie nee
  pendente aguardando recusado recusada rejeitado rejeitada excluido excluida rascunho inativo moderacao analise reprovado reprovada ocultada dold dolda dolt ceka venter draf nao`
const NEGATIONS =
  'not non nicht no niet nao pas never noch nie nem inte ikke ej ei tidak belum degil не δεν μη غير לא chua khong'
const SHOWN_PHRASES =
  'en ligne|en linea|in linea|em linha|đa xuat ban|đa duyet|đa phe duyet|đa đang|hien thi|cong khai'.split('|')
const HIDDEN_PHRASES = (
  'hors ligne|fuera de linea|fuori linea|a valider|a moderer|a verifier|sin publicar|sin aprobar|por revisar|por aprobar|' +
  'da approvare|da pubblicare|te beoordelen|zu prufen|noch zu prufen|in bearbeitung|por aprovar|to review|to be reviewed|to moderate|' +
  'taken down|cho duyet|cho phe duyet|đang cho duyet|tu choi|bi tu choi|đa tu choi|đa an|đa xoa|ban nhap|khong hien thi|رد شده|رد شد'
).split('|')
const listOf = (words: string) => new Set(words.trim().split(/\s+/))
/** In "don't". */
const NOT = /n['’]?t(?= )(?<=\b(?:do|does|did|is|was|wo|ca)n['’]?t)/gi
const shownWords = new Set([...listOf(SHOWN), ...SHOWN_PHRASES])
const hiddenWords = new Set([...listOf(HIDDEN), ...HIDDEN_PHRASES])
const negations = listOf(NEGATIONS)
const spamWords = new Set(['spam', 'fraud', 'fake'])
/** Separates the parts of a status, each with its own meaning. */
const BETWEEN_PARTS = /[^\p{L}\p{N}\s'’:=-]+|\s-+\s|\s(?:and|but|und|aber|et|mais)\s/u
/** A list or an object, such as what was said to the author, is no status whatever its words. */
const NESTED = /^(?:\[ ?[{["]|\{ ?")/
/** Such a status is about the owner's reply, not about visibility. */
const ABOUT_REPLIES = new RegExp(
  (
    'repl|respon|answer|antwort|reponse|respuesta|rispost|reactie|ответ|відпов|odpow|odpov|válasz|răspun|απάντ|yanıt|cevap|svar|vastau|' +
    'balas|返信|返答|回复|回覆|답변|답글'
  )
    .split('|')
    .map(normalizeWord)
    .join('|'),
)

/** What a vendor's status means (`Not approved`, `in moderation`, `En attente`); undefined for unknown words. */
export function parseVisibility(cell: string): Visibility | undefined {
  const status = normalizeWord(shortCell(cell)?.replace(/ß/g, 'ss').replace(NOT, ' not') ?? '-')
  if (status === '') return 'shown'
  if (ABOUT_REPLIES.test(status) || NESTED.test(status)) return undefined
  const whole = ofWord(status)
  if (whole !== undefined) return whole
  const words = wordsOf(status)
  // Below "not shown" shops and Joomla have what waits, was refused or is in the bin.
  if (/^-[1-9]$/.test(status)) return 'hidden'
  if (words.length < 2 && /\d/.test(status)) return undefined
  if (hidesNothing(status)) return 'shown'
  const parts = status.split(BETWEEN_PARTS)
  const others = parts.filter((part) => !hidesNothing(part))
  // "Approved (not spam)" means "Approved".
  if (others.length < parts.length) return parseVisibility(others.join(' '))
  const meanings = words.filter((word) => !negations.has(word)).map(ofWord)
  const isNegated = words.some((word) => negations.has(word))
  if (meanings.includes('spam')) return 'spam'
  if (meanings.includes('hidden') || /^(?:in|under) (?:\p{L}+ )?review$/u.test(words.join(' '))) return 'hidden'
  if (!meanings.includes('shown')) return undefined
  return isNegated ? 'hidden' : 'shown'
}

function wordsOf(status: string): string[] {
  return status.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
}

/** "Not spam", "nicht gesperrt". */
function hidesNothing(part: string): boolean {
  const words = wordsOf(part)
  const [meaning] = words.filter((word) => !negations.has(word)).map(ofWord)
  const isNegated = words.some((word) => negations.has(word))
  return words.length === 2 && isNegated && (meaning === 'spam' || meaning === 'hidden')
}

function ofWord(word: string): Visibility | undefined {
  if (spamWords.has(word)) return 'spam'
  if (hiddenWords.has(word) || (isNo(word) && word !== '-')) return 'hidden'
  return shownWords.has(word) || isYes(word) ? 'shown' : foreignVisibility(word)
}
