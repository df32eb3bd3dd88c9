import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { normalizeLetterForms } from './letter-forms.ts'

/**
 * Headings that name a page and no topic, in lower case and without accents: no review answers them, and what is near to their
 * words ("über uns", "conditions") is about something else, or a complaint ("privacy"). Without those that reviews do speak of
 * ("opening hours", "our team", "location", "cookies", French "accueil"). `page-names.json` has those of languages of which the
 * model knows no word, as they are written there, and without what is also a thing in a shop ("košík") or an hotel ("вход").
 */
const PAGE_NAMES = [
  // Contact
  `contact|contact us|contact me|contact form|contact information|contact details|contacts|get in touch|get in touch with us
  |kontakt|kontaktformular|kontakt formular|kontaktdaten|kontaktieren sie uns|nehmen sie kontakt auf|so erreichen sie uns
  |contactez nous|contactez moi|nous contacter|nous joindre|nous ecrire|formulaire de contact|coordonnees
  |contacto|contactanos|contactenos|contacta con nosotros|formulario de contacto|informacion de contacto|datos de contacto
  |contatti|contattaci|contattateci|contattami|scrivici|modulo di contatto
  |contact opnemen|neem contact op|neem contact met ons op|contacteer ons|contactformulier|contactgegevens
  |contato|contatos|contactos|contacte nos|fale conosco|fale connosco|entre em contato|entre em contacto
  |entre em contato conosco|send us a message|enquiry|enquiry form|inquiry|kontakt aufnehmen|jetzt kontakt aufnehmen
  |schreiben sie uns|anfrage|anfrage senden|unverbindliche anfrage|demande d information|demande de renseignements
  |envoyez nous un message|solicitud de informacion|envianos un mensaje|richiesta informazioni|richiedi informazioni
  |stuur ons een bericht|informatie aanvragen|envie uma mensagem`,
  // About
  `about|about us|about me|who we are|who i am|uber uns|uber mich|wir uber uns|wer wir sind|wer ich bin
  |a propos|a propos de nous|qui sommes nous|qui suis je|nosotros|sobre nosotros|sobre mi|quienes somos|quien soy|acerca de
  |acerca de nosotros|conocenos|chi siamo|chi sono|over ons|over mij|wie zijn wij|wie zijn we|wie we zijn|wie ben ik
  |sobre|sobre nos|sobre mim|quem somos|quem somos nos|quem sou|quem sou eu`,
  // What we do
  `what we do|was wir tun|was wir machen|ce que nous faisons|que hacemos|lo que hacemos|cosa facciamo|wat we doen|wat wij doen
  |o que fazemos`,
  // Reviews: what speaks of reviews says little else, or explains a complaint
  `our reviews|customer reviews|guest reviews|testimonials|customer testimonials|what our clients say|what our customers say
  |what our guests say|what our patients say|what people say|kundenbewertungen|kundenstimmen|kundenmeinungen|gastebewertungen
  |gastestimmen|das sagen unsere kunden|das sagen unsere gaste|avis clients|vos avis|temoignages|livre d or|testimonios
  |opiniones de clientes|lo que dicen nuestros clientes|testimonianze|dicono di noi|cosa dicono di noi|klantbeoordelingen
  |wat klanten zeggen|wat onze klanten zeggen|depoimentos|testemunhos|o que dizem nossos clientes|o que dizem os nossos clientes`,
  // The site
  `startseite|page d accueil|inicio|pagina principal|pagina iniziale|startpagina|sitemap|site map|inhaltsverzeichnis|plan du site
  |mapa del sitio|mapa web|mappa del sito|mapa do site|search results|suchergebnisse|resultats de recherche
  |resultados de busqueda|risultati della ricerca|risultati di ricerca|zoekresultaten|resultados da pesquisa
  |resultados da busca`,
  // Shopping
  `your cart|shopping cart|my account|warenkorb|mein konto|mon panier|votre panier|mon compte|carrito de compra|tu carrito
  |mi cuenta|il tuo carrello|il mio account|mijn account|carrinho de compras|minha conta`,
  // Legal
  `privacy policy|privacy notice|privacy statement|privacy and cookies|cookie policy|cookie notice|legal notice|imprint|disclaimer
  |terms and conditions|terms conditions|terms of service|terms of use|general terms and conditions
  |impressum|datenschutz|datenschutzerklarung|datenschutzhinweise|agb|allgemeine geschaftsbedingungen|nutzungsbedingungen
  |haftungsausschluss|widerrufsbelehrung|widerrufsrecht|impressum und datenschutz|impressum datenschutz|cookie richtlinie
  |mentions legales|politique de confidentialite|politique de cookies|conditions generales|conditions generales de vente|cgv
  |conditions generales d utilisation|aviso legal|politica de privacidad|politica de cookies|terminos y condiciones
  |condiciones generales|condiciones de uso|note legali|informativa privacy|informativa sulla privacy|privacy e cookie policy
  |termini e condizioni|condizioni generali|condizioni generali di vendita|algemene voorwaarden|privacyverklaring|privacybeleid
  |cookiebeleid|politica de privacidade|termos de uso|termos de servico|termos e condicoes`,
  // Questions
  `faq|faqs|frequently asked questions|haufige fragen|haufig gestellte fragen|questions frequentes|foire aux questions
  |preguntas frecuentes|domande frequenti|veelgestelde vragen|perguntas frequentes`,
  // Work
  `careers|jobs|join our team|work with us|karriere|stellenangebote|offene stellen|nous rejoindre|recrutement|rejoignez nous
  |trabaja con nosotros|unete a nuestro equipo|lavora con noi|vacatures|werken bij ons|trabalhe conosco|trabalhe connosco`,
  // Front page. Without what precedes the name of a place, whose reviews speak of the welcome.
  `home page|homepage|welcome to our website|welcome to our site|welcome to our homepage|welcome to our online shop|welcome to our online store
  |willkommen auf unserer website|willkommen auf unserer webseite|willkommen auf unserer homepage|willkommen in unserem online shop
  |bienvenue sur notre site|bienvenue sur notre site internet|bienvenidos a nuestra web|bienvenidos a nuestro sitio web|pagina de inicio
  |benvenuti nel nostro sito|benvenuti sul nostro sito|welkom op onze website|bem vindo ao nosso site|bem vindos ao nosso site|pagina inicial`,
  // Not found, or not there yet
  `404|error 404|erreur 404|fehler 404|errore 404|erro 404|404 not found|404 page not found|under construction|coming soon
  |im aufbau|seite im aufbau|in bearbeitung|demnachst|en construction|page en construction|bientot disponible|en construccion
  |pagina en construccion|proximamente|in costruzione|pagina in costruzione|prossimamente|in aanbouw|binnenkort|em construcao
  |pagina em construcao|em breve|page not found|seite nicht gefunden|page introuvable|page non trouvee|pagina no encontrada|pagina non trovata
  |pagina niet gevonden|pagina nao encontrada`,
]

const OF_OTHER_LANGUAGES = v.parse(
  v.record(v.string(), v.array(v.string())),
  JSON.parse(readFileSync(new URL('./page-names.json', import.meta.url), 'utf8')),
)

const names = new Set(
  [...PAGE_NAMES, ...Object.values(OF_OTHER_LANGUAGES).flat()].flatMap((names) =>
    names.split('|').map((name) => plain(normalizeLetterForms(name))),
  ),
)
const LONGEST = Math.max(...[...names].map(({ length }) => length))

/** Between a heading and the parts of a title, as the snippet and titles write it. */
const PARTS = /\s[–—|·/-]\s|[|｜／]/
/** Headings in Japan and Korea have the name in English as well, without a sign between the two. */
const ENGLISH_BESIDE = /(?<=^[a-z ]+) (?=[^a-z\s])|(?<=[^a-z\s]) ?(?=[a-z ]+$)/

/**
 * Whether a query is nothing but names of such pages: "Contact", or "Frequently asked questions – FAQ".
 * @param query as the model reads it, with its letters in one form
 */
export function isPageName(query: string): boolean {
  return query.split(PARTS).every(isName)
}

function isName(part: string): boolean {
  // With signs and marks around its words it may be somewhat longer.
  if (part.length > 2 * LONGEST) return false
  const name = plain(part)
  return names.has(name) || name.split(ENGLISH_BESIDE).every((each) => names.has(each))
}

/** In lower case, letters and digits only, without accents, which capitals often lack, as Turkish "I" lacks what makes it one. */
function plain(name: string): string {
  const letters = name.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ı', 'i')
  return letters.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
}
