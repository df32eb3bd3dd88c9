import { normaliseHeader } from './headers.ts'
import type { Field } from './mapping.ts'

/**
 * Header names by field, most telling first, in English, German, French, Spanish, Italian, Dutch and Portuguese. They
 * are compared by {@link normaliseHeader}, so case, accents, blanks and punctuation don't matter. A name may stand under
 * two fields ("Bewertung" is a rating in one file and a text in the next): the cells decide.
 */
const NAMES: Record<Field, string> = {
  text: `
    review text | review content | review body | review comment | review message | review description | full review
    customer review | customer comment | customer feedback | user review | client review | guest review | text content
    review | comment | body | content | feedback | message | testimonial | text | comments | reviews | opinion | quote
    comment text | feedback text | testimonial text | rating text | your review | your feedback | description | remarks
    experience | verbatim | response | answer | reviewtext original | what did you think | additional comments | body text
    bewertungstext | rezensionstext | rezension | bewertung | kommentar | kundenmeinung | meinung | erfahrungsbericht
    nachricht | inhalt | kundenstimme | rückmeldung | beitrag | kundenbewertung | beschreibung
    texte de l'avis | contenu de l'avis | avis client | avis | commentaire | témoignage | contenu | texte | évaluation
    texto de la reseña | reseña | resena | comentario | comentarios | testimonio | opinión | contenido | texto | mensaje
    valoración | crítica
    testo recensione | testo della recensione | recensione | commento | testimonianza | opinione | contenuto | testo
    messaggio | giudizio
    reviewtekst | recensietekst | recensie | beoordelingstekst | beoordeling | opmerking | opmerkingen | ervaring
    reactie | tekst | inhoud | bericht | toelichting
    texto da avaliação | avaliação | resenha | depoimento | comentário | opinião | conteúdo | mensagem`,
  date: `
    review date | review datetime | review created | review created at | date created | created at | created date
    creation date | created | date posted | posted at | posted on | posted | published at | published date | publish date
    published on | published | publication date | date of review | reviewed at | reviewed on | review time
    submitted at | submission date | submitted on | submitted | date submitted | date | datetime | date time | timestamp
    time created | created time | create time | time | occurred at | date published | date added | added on | completed at
    response date | comment date | feedback date | updated at | last updated
    bewertungsdatum | rezensionsdatum | erstellungsdatum | erstellt am | erstellt | veröffentlicht am
    veröffentlichungsdatum | abgegeben am | datum | zeitpunkt | zeitstempel | datum der bewertung
    date de l'avis | date de publication | date de création | publié le | créé le | date du commentaire | horodatage
    fecha de la reseña | fecha de publicación | fecha de creación | fecha | publicado el | creado el | marca temporal
    data recensione | data della recensione | data di pubblicazione | data pubblicazione | data creazione | pubblicato il
    data | informazioni cronologiche
    beoordelingsdatum | recensiedatum | datum beoordeling | aangemaakt op | geplaatst op | publicatiedatum | tijdstempel
    data da avaliação | data de publicação | data de criação | publicado em | criado em | carimbo de data hora`,
  rating: `
    star rating | review rating | review stars | review score | overall rating | overall score | stars | rating | score
    rating value | number of stars | star | ratings | customer rating | user rating | points | rate | grade
    sternebewertung | sterne | anzahl sterne | bewertung | gesamtbewertung | punkte | bewertung sterne | note
    étoiles | nombre d'étoiles | note globale | évaluation | notation
    estrellas | puntuación | calificación | valoración | número de estrellas | nota
    stelle | punteggio | valutazione | voto | numero di stelle
    sterren | aantal sterren | waardering | beoordeling | cijfer | sterrenbeoordeling
    estrelas | pontuação | classificação | avaliação | número de estrelas`,
  author: `
    reviewer name | author name | author | reviewer | customer name | reviewer display name | display name | customer
    user name | username | full name | name | client name | client | consumer name | consumer | guest name | guest
    reviewed by | posted by | submitted by | written by | nickname | your name | user | member | contact name | by
    first name
    name des autors | autor | kundenname | verfasser | rezensent | bewerter | kunde | benutzername | benutzer | vorname
    nom du client | nom de l'auteur | auteur | nom | client | pseudo | utilisateur | prénom
    nombre del cliente | nombre del autor | nombre | cliente | usuario
    nome cliente | nome autore | nome del cliente | autore | nome | recensore | utente
    naam | klantnaam | naam klant | klant | gebruiker | gebruikersnaam | recensent | naam beoordelaar
    nome do cliente | nome do autor | avaliador | usuário`,
  avatar: `
    author avatar url | avatar url | avatar | author avatar | profile image url | profile image | profile photo url
    profile photo | profile picture | profile picture url | reviewer photo url | reviewer photo | author image
    author photo | user image | user photo | photo url | image url | profilbild | photo de profil | foto de perfil
    foto profilo | profielfoto | profile pic`,
  url: `
    review url | review link | link to review | url | link | permalink | review permalink | source url | source link
    platform url | web address | bewertungslink | lien | lien de l'avis | enlace | enlace de la reseña | collegamento
    link recensione | koppeling | ligação`,
  language: `
    review language | language | lang | locale | language code | original language | sprache | langue | idioma | lingua
    taal | língua`,
  source: `
    review source | social media source | source | site name | site | platform | publisher | review site | review platform
    source name | source platform | review publisher | channel | quelle | plattform | bewertungsportal | portal
    plateforme | origine | fuente | plataforma | fonte | piattaforma | bron | platforma`,
  id: `
    review id | external id | reviewid | review uuid | survey id | response id | feedback id | testimonial id | comment id
    unique id | uuid | id | review number | bewertungs id | bewertungsnummer | id de l'avis | id avis | id de la reseña
    id recensione | recensie id | beoordelings id | id da avaliação`,
  title: `
    review title | title | headline | subject | summary | heading | titel | betreff | überschrift | titre | objet | título
    asunto | titolo | oggetto | onderwerp | assunto`,
  status: `
    review status | status | state | visibility | published status | moderation status | is approved | approved
    is published | hidden | is hidden | sichtbarkeit | statut | estado | stato`,
  translation: 'translation | translated text | text translated | review translation',
}

/** Normalised names by field, in the order of preference. */
export const ALIASES: Record<Field, readonly string[]> = mapValues(NAMES, (names) => [
  ...new Set(
    names
      .split(/[|\n]/)
      .map(normaliseHeader)
      .filter((name) => name !== ''),
  ),
])

function mapValues<K extends string, A, B>(record: Record<K, A>, change: (value: A) => B): Record<K, B> {
  return Object.fromEntries(Object.entries<A>(record).map(([key, value]) => [key, change(value)])) as Record<K, B>
}

/** Columns with personal data: never kept as metadata by `--metadata all`, only when named. */
const PERSONAL =
  /e?mail|ipaddress|^ip$|ipadresse|adresseip|direccionip|indirizzoip|phone|telefon|telephone|telefoon|mobile|handy|whatsapp|birth|geburt|passw|postal|streetaddress|^address$|adresse$|indirizzo|direccion|endereco|customerid|userid|consumeruserid|taxid/

export function isPersonal(header: string): boolean {
  return PERSONAL.test(normaliseHeader(header))
}
