/**
 * Words that say nothing about what a visitor is looking for, in lower case. Search engines have stop words for one
 * language at a time; this list covers all at once, because a query does not state its language, many exports do not
 * state a review's, and PostgreSQL has no stop words for some languages.
 *
 * Function words that are a topic in another language are left out on purpose: German "bad" (bath), "fast" (nearly),
 * "hat" (has) and "war" (was), French "son", "car", "mais" and "été" (been, summer), Spanish "sin", Dutch "want" and
 * "pension", Swedish "bra".
 */
const FUNCTION_WORDS = [
  // English
  `a about after again all also am an and any are around as at be because been before being between both but by can
   could did do does doing done during each either else ever every few for from had has have having he her here hers
   him his how i if in into is it its itself just let lot lots many may me might more most much must my myself no nor
   not of off on once one only or other our ours out over own per please quite rather same she should since so some
   still such than that the their them then there these they this those though through to too toward towards under
   until up upon us very via was we were what when where whether which while who whom whose why will with within
   without would yet you your yours`,
  // What an apostrophe leaves behind: don't, we're, l'hôtel, quell'albergo
  'don doesn didn isn aren wasn weren won couldn wouldn shouldn ll ve re qu dell nell all quell',
  // German
  `aber als am an auch auf aus bei beim bin bis da damit dann das dass dem den denn der des deren dessen die dies diese
   diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es etwas euch euer für gegen habe
   haben hatte hatten hier hinter ich ihr ihre ihrem ihren ihm ihn im in ins ist jede jedem jeden jeder jedes kann kein
   keine keinen können man mehr mein meine meinem meinen meiner mich mir mit nach nicht nichts noch nun nur ob oder ohne
   sehr sein seine seinem seinen seit sich sie sind so über um und uns unser unsere unserem unseren unter viel viele vom
   von vor waren was weil welche welcher wenn wer werden wie wir wird wo wurde wurden zu zum zur zwischen`,
  // French
  `à au aux avec ce ces cet cette chez comme dans de depuis des donc dont du elle elles en entre est et étaient était
   être eu il ils je la le les leur leurs lui ma me mes moi mon même ne nos notre nous on ont ou où par pas pendant
   peu plus pour près qu que quel quelle qui sa sans se ses si sont sous sur ta te tes toi ton tous tout toute toutes
   très trop tu un une vos votre vous y`,
  // Spanish
  `al algo algunos ante antes aquí así como con cual cuando de del desde donde durante e el ella ellas ellos en entre
   era eran es esa ese eso esta está están estaba estaban este esto estos estas fue fueron ha había han hasta hay la las
   le les lo los más me mi mis mucho muchos muy nada ni no nos nosotros nuestra nuestro o otra otro para pero poco por
   porque que qué quien se ser si sí sobre su sus también tan te tiene tienen todo toda todos todas tu un una uno unos
   unas y ya yo`,
  // Italian
  `ad agli ai al alla alle allo anche c che chi ci come con cui da dagli dai dal dalla dei del della delle dello di dove
   e ed era erano fra gli ha hanno ho i il in io la le lei lo loro lui ma mi mia mie mio molto ne negli nei nel nella
   nelle noi non nostra nostro o per perché più poco può quando quella quello questa questo qui se sei si sia siamo sono
   stata stato su sua sue sugli sui sul sulla suo tra troppo tutti tutto un una uno vi voi è`,
  // Portuguese
  `ao aos as até com como da das de dela dele do dos e é ela ele eles em entre era eram essa esse esta está estava este
   eu foi foram há isso isto já lá mas me mesmo meu minha muito muitos na nas não nem no nos nós nossa nosso num numa o
   os ou para pela pelo pelos por porque quando que quem se sem ser seu sua são só também te tem tinha tudo um uma você`,
  // Dutch
  `aan al alle als bij dan dat de deze die dit door dus een en er geen had heb hebben heeft heel het hier hij hoe hun
   iets ik in is je kan kunnen maar me meer met mijn moet na naar niet nog nu of om onder ons onze ook op over te tot
   toen uit van veel voor waar wat we wel werd wij worden wordt zeer zich zij zijn zo zonder zou`,
  // Danish, Norwegian, Swedish
  `af alla alle att av blev blir både den denne dem der deres det dette dig din ditt du efter eller en er et ett fra från
   för före gjorde ha hade han har hos hun hur hvad hvor i ikke inga inte jag jeg kan kun man med meget men mig min mitt
   mycket mye noget når någon några nej och og også om op oss over på samt sin skal som så til till under upp ut vad var
   veldig vi vid vil vår vara være väldigt är`,
  // Polish, Czech
  `ale bez bo być było był była były byli co czy dla do gdzie go i ich jak jako jest już każdy kiedy lub ma mi mnie może
   na nad nas nasz nie o od oraz po pod przed przez przy są się tak też to tu tym w we wszystko z za ze że aby ani až
   bez by byl byla bylo být jsem jsme jsou je jen jeho její která které který mezi nebo není pro protože při s se si
   jste takže tady u v velmi však bardzo`,
  // Turkish
  'ama bir bu çok da daha de den dir en gibi hem her için ile ise kadar ki mi mı ne o olan olarak sonra şu ve veya ya',
  // Russian, Ukrainian
  `а без более бы был была были было быть в вам вас весь во вот все всё вы где да для до его ее её если есть еще ещё же
   за и из или им их к как ко когда кто ли мне мы на над нам нас не него нет ни но о об он она они от очень по под при с
   со так также там то только тут ты у уже чем что чтобы это эта этот я але бо був була було в від дуже з зі й його є і
   їх ми нам нас не про та те ти у це цей що як`,
]

/** Praise, blame and talk about reviewing itself: every second sentence of a review has one. */
const REVIEW_WORDS = [
  // English
  `absolutely actually amazing anyone anything awesome awful best better bit business came cannot come comes company
   definitely especially ever everyone everything excellent experience experienced experiences extremely fantastic feel
   feels felt find finding found get gets getting give given gives go goes going gone good got great happy highly know
   know like liked likes little look looking looks love loved lovely loves made make makes making need needs never nice
   nothing okay outstanding overall people perfect perfectly place places pretty probably rate rated rating ratings
   really recommend recommendation recommendations recommended review reviewed reviewer reviewers reviews said say says
   seem seemed seems simply somewhere someone something spot star stars super superb sure take takes terrible thank
   thanks thing things think thought took totally tried truly try use used using visit visited visiting visits want
   wanted wants way went wonderful worst worth`,
  // German
  `absolut alles angenehm beste bester bestens bewertung bewertungen danke eigentlich einfach empfehlen empfehlenswert
   empfehlung empfohlen erfahrung erfahrungen fand ganz gehen gern gerne gibt großartig gut gute gutem guten guter gutes
   hervorragend immer insgesamt jederzeit leider mal ort perfekt prima richtig schön schöne schönen schöner schönes
   sterne suchen suche toll tolle tollen toller tolles total voll wieder wirklich wunderbar`,
  // French
  `absolument adoré agréable avis bien bon bonne bonnes bons conseille définitivement endroit étoile étoiles excellent
   excellente expérience génial généralement lieu magnifique meilleur meilleure merci parfait parfaite recommande
   recommandé recommander super top toujours trouver vraiment`,
  // Spanish
  `bien buen buena buenas bueno buenos estrella estrellas excelente experiencia genial gracias increíble lugar magnífico
   maravilloso mejor mejores opinión opiniones perfecta perfecto realmente recomendable recomiendo reseña reseñas siempre
   sitio`,
  // Italian
  `bella bello bene buon buona buone buoni buono consigliato consiglio davvero eccellente esperienza fantastico grazie
   luogo meraviglioso migliore ottima ottimo perfetto posto recensione recensioni sempre stelle veramente`,
  // Portuguese
  `boa bom bons estrelas excelente experiência incrível lugar maravilhoso melhor obrigada obrigado ótima ótimo perfeito
   realmente recomendo sempre`,
  // Dutch
  `aanrader bedankt beste echt ervaring fantastisch geweldig goed goede leuk leuke mooi mooie plek prachtig
   prima recensie recensies sterren uitstekend zeker`,
  // Danish, Norwegian, Swedish
  `absolut anbefale anbefaler anmeldelse anmeldelser bästa bedste beste bra dejlig erfaring fantastisk fin fint fina god
   godt gode goda mest rekommendera rekommenderar recension recensioner sted steder ställe stället takk tack tak
   upplevelse verkligen virkelig`,
  // Polish, Czech, Turkish, Russian
  `dobra dobre dobry miejsce najlepsze opinia opinie polecam super świetna świetne świetny wspaniałe doporučuji dobrá
   dobré dobrý hodnocení místo recenze skvělá skvělé skvělý güzel harika iyi mükemmel tavsiye teşekkürler yer yorum
   отзыв отзывы место отлично отличный отличная отличное очень рекомендую спасибо супер хорошая хорошее хороший хорошо`,
]

/** Kinds of business, which nearly every review of that kind names. */
const BUSINESS_WORDS = [
  `guesthouse guesthouses hostel house inn lodge motel pub
   business hotel hotels hôtel hôtels hotell hoteles alberghi albergo restaurant restaurants restaurang ristorante
   ristoranti restaurante restaurantes shop shops store stores geschäft laden magasin tienda negozio loja winkel butik
   отель ресторан магазин`,
]

/**
 * What every business of a kind has, and the words of asking: "does the room have a view" is about the view. On "room"
 * or "service" alone the word tier let in sentences of which one in twenty was an answer (`bench/relevance`). English
 * only: in other languages, whose vectors are weaker, these words are needed.
 */
const QUESTION_WORDS = [
  `room rooms food foods service services staff area areas location stay staying stayed product products item items
   property properties customer customers guest guests`,
  `able available comment comments complaint complaints describe enough mention mentioned offer offered offering offers
   often option options provide provided provides quality reputation serve served serves sure tell type types variety
   various wonder wondering`,
  // politeness and chat: "do you happen to know", "sorry, could you check whether it is considered quiet"
  `advise afternoon anybody apologies appreciate aware check checked checking chance clarify concerned concerning confirm
   consider considered considering curious details evening excuse guess happen happened happening happens hear heard hello hey hi
   hopefully hoping info inform information interested kindly known maybe morning particular particularly perhaps planning
   possible possibly regard regarding regards somebody sorry specific specifically suggest suggested supposed thanks
   understand whether wish wondered worried`,
]

/** Typed without its accents, one of these words is a topic or an English word: fur, Italian "misto", Danish "bade" (bathe). */
const TOPICS_WITHOUT_ACCENTS = new Set('ate bade byt fur meme misto nar stalle uber'.split(' '))

/** The words, and those with accents also as `without_accents` and `spelled_out` in the database have them. */
function set(lists: readonly string[]): ReadonlySet<string> {
  const words = lists.join(' ').split(/\s+/)
  const typed = words.flatMap((word) => [word, spelledOut(word)].map(withoutAccents))
  return new Set([...words, ...typed.filter((word) => !TOPICS_WITHOUT_ACCENTS.has(word))])
}

const PLAIN: Record<string, string> = { ı: 'i', ø: 'o', ł: 'l', ß: 'ss', æ: 'ae' }
const SPELLED: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }

// Latin only: "й" is a letter of its own.
function withoutAccents(word: string): string {
  const plain = word.replace(/[ıøłßæ]/g, (letter) => PLAIN[letter] ?? '')
  return plain.replace(/[\u00c0-\u024f]/g, (letter) => letter.normalize('NFD').replace(/[\u0300-\u036f]/g, ''))
}

const spelledOut = (word: string) => word.replace(/[äöüøå]/g, (letter) => SPELLED[letter] ?? '')

/**
 * What content systems call their kinds of pages. The query that a page derives may begin with one ("Blog – Bread from our
 * oven", "Sauna – Page 2"), which no review mentions. Without words that are also a topic: French "accueil", German "Seite".
 */
const PAGE_WORDS = [
  `archive archives blog blogs categories category page pages archiv kategorie kategorien schlagwort schlagwörter
   startseite catégorie catégories categoría categorías página páginas categoria categorie pagina categorias arquivo
   archief kategori kategorier arkiv kategoria rubriek рубрика категория страница`,
]

/** Never counted. */
export const GENERIC_WORDS = set([...FUNCTION_WORDS, ...REVIEW_WORDS, ...PAGE_WORDS])
/** Used for ranking, but never counted towards the word tier. */
export const SETTING_WORDS = set(QUESTION_WORDS)
/** Counted only when a query has nothing else to say: "hotel" alone, but not "hotel with a pool". */
export const KIND_OF_BUSINESS_WORDS = set(BUSINESS_WORDS)
