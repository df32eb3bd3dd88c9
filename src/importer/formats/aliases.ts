import { normalizeHeader } from '../read/headers.ts'
import { headerSet } from './header-names.ts'
import type { Field } from './mapping.ts'

/**
 * Header names by field, most specific first, in English, German, French, Spanish, Italian, Dutch, Portuguese, Russian,
 * Ukrainian, Polish, Czech, Hungarian, Romanian, Greek, Turkish, Swedish, Danish, Norwegian, Finnish, Japanese,
 * Chinese, Korean, Arabic, Hebrew, Thai, Vietnamese and Indonesian. Case, accents, blanks and punctuation don't matter.
 * A name may belong to two fields ("Bewertung" is a rating in one file and a text in another): the cells decide.
 */
const NAMES: Record<Exclude<Field, 'status' | 'hidden_words'>, string> = {
  id: `
    review id | external id | reviewid | review uuid | id review | recommendation id | id product comment | store review id | survey id | response id | feedback id | testimonial id | comment id | 댓글 id
    unique id | uuid | id | review number | reviews id | avis id | id avaliação | avaliação id | id reseña | reseña id | id opinión | id ulasan | bewertungs id | bewertungsnummer | id de l'avis | id avis | id de la reseña
    google review id | id recensione | recensie id | beoordelings id | id da avaliação
    id отзыва | номер отзыва | id відгуку | id opinii | yorum id | レビューid | 口コミid | 评论id | 評論id | 评价id | 리뷰id | 리뷰번호 | 리뷰글번호 | 후기번호`,
  source: `
    review source | social media source | source | site name | source type | publisher id | site | platform | publisher | review site | review platform
    источник | площадка | джерело | źródło | zdroj | kaynak | källa | kilde | lähde | sumber | 来源 | 來源 | 출처
    source name | source platform | review publisher | channel | quelle | plattform | bewertungsportal | portal
    plateforme | origine | fuente | plataforma | fonte | piattaforma | bron | platforma`,
  date: `
    review date | review datetime | review created | review created at | review submit date and time | date reviewed | date review | review submitted at | review created date | post date | date created | created at | created date
    creation date | creation time | addition date | date add | created | date posted | posted at | posted on | posted | published at | published date | publish date
    published on | published | pub date | publication date | publish time | iso date | date of review | review submission date | rating date | date rated | rated at | rated on | reviewed at | reviewed on | review time
    submitted at | submission date | submission time long date format | submission time localized | submitted on | submitted | submission time | submitted date | submit date | date submitted at | publisher date | date since | date submitted | date | datetime | date time
    time created | created time | create time | ctime | timestamp created | comment date | commented at | comment time | feedback date | timestamp | unix timestamp | time | occurred at | recorded at | date published | date added | added on | completed at | completion time | entry date | recorded date | written on | written at | date written | date received | received on | received at | received date
    response date | response created at | updated at | last updated | updated | updated time | update time | date updated | updated date | at | when | dates | times
    bewertungsdatum | rezensionsdatum | erstellungsdatum | erstellt am | erstellt | veröffentlicht am
    veröffentlichungsdatum | abgegeben am | datum | zeitpunkt | zeitstempel | datum der bewertung
    date de l'avis | date de publication | date de création | publié le | créé le | date du commentaire | horodatage
    fecha de la reseña | fecha de publicación | fecha de creación | fecha | publicado el | creado el | marca temporal
    data recensione | data della recensione | data di pubblicazione | data pubblicazione | data creazione | pubblicato il
    data | informazioni cronologiche
    beoordelingsdatum | recensiedatum | datum beoordeling | aangemaakt op | geplaatst op | publicatiedatum | tijdstempel
    data da avaliação | data de publicação | data de criação | publicado em | criado em | carimbo de data hora
    дата | дата отзыва | дата публикации | data dodania | data opinii | tarih | tarihler | datum för recension | dato
    дата и время | дата создания | время | дата на отзива | datum recenzije | datum objave | kuupäev | datums | dagsetning | تاریخ | तारीख | दिनांक
    дата відгуку | datum recenze | datum hodnocení | dátum | értékelés dátuma | data recenziei | ημερομηνία | ημερομηνία κριτικής | päivämäärä | pvm
    תאריך | תאריך הביקורת | วันที่ | วันที่รีวิว | ngày | ngày đánh giá | tanggal | tanggal ulasan
    horodateur | horodate | sygnatura czasowa | отметка времени | позначка часу | zaman damgası | časová značka | időbélyeg | tidstämpel | tidsstempel | aikaleima | marcă de timp | χρονική σήμανση
    タイムスタンプ | 타임스탬프 | 时间戳记 | 時間戳記 | طابع زمني | חותמת זמן | ประทับเวลา | dấu thời gian | stempel waktu
    レビュー日時 | レビュー日 | 口コミ投稿日 | 口コミ日時 | 投稿日 | 投稿日時 | 投稿時間 | レビュー投稿日 | 日付 | 日時 | 作成日 | 日期 | 评论时间 | 评论日期 | 评价时间 | 評價時間 | 发布时间 | 时间 | 評論日期 | 날짜 | 작성일 | 등록일 | التاريخ | تاريخ المراجعة
    תאריך פרסום | תאריך כתיבה | تاريخ التقييم | تاريخ التعليق | تاريخ النشر | تاريخ | วันที่โพสต์ | วันที่เขียน | ημερομηνία δημοσίευσης
    ημερομηνία αξιολόγησης | 리뷰 작성일 | 작성일시 | 작성일자 | 리뷰 등록일 | 리뷰 등록일시 | 등록일시 | 評論時間 | 評價日期 | 發表時間 | 发表时间 | 评价日期 | समीक्षा की तारीख | dato for anmeldelse | yorum tarihi
    değerlendirme tarihi | comment date iso type | дата публікації | data wystawienia | datum vložení`,
  rating: `
    rating overall | ratings overall | score overall | scores overall | star rating | review rating | review stars | reviews rating | review score | review score with description | overall rating | overall score | stars | rating | score
    rating value | number of stars | star | ratings | star rating value | reviewer score | reviewer rating | overall satisfaction | im rating | mark | rating rating | customer rating | user rating | your rating | bubble rating | points | rate | review rate | review rates | grade | overall | product valuation
    sternebewertung | sterne | anzahl sterne | bewertung | gesamtbewertung | punkte | bewertung sterne | note
    étoiles | nombre d'étoiles | note globale | évaluation | notation
    estrellas | puntuación | calificación | valoración | número de estrellas | nota
    stelle | punteggio | valutazione | voto | numero di stelle
    sterren | aantal sterren | waardering | beoordeling | cijfer | sterrenbeoordeling
    estrelas | pontuação | classificação | avaliação | número de estrelas
    оценка | рейтинг | звезды | ocena | liczba gwiazdek | puan | yıldız | betyg | bedømmelse
    оцінка | hodnocení | počet hvězdiček | értékelés | csillagok | evaluare | βαθμολογία | αξιολόγηση | αστέρια | vurdering | terningkast | arvosana | tähdet
    ratting | raiting | gwiazdek | hvězdiček | hviezdičiek | звёзд | зірок | hvězdičky | hvězdy | počet hvězd | hviezdičky | hviezdy | gwiazdki | zvezdice | zvjezdice | stele | număr stele | csillag | stjärnor | antal stjärnor | stjerner | antal stjerner | зірки | количество звёзд
    ocjena | оцена | hodnotenie | počet hviezdičiek | hinnang | hinne | vērtējums | įvertinimas | vertinimas | puntuació | valoració | einkunn | امتیاز | रेटिंग
    דירוג | ציון | คะแนน | ดาว | số sao | điểm | đánh giá | penilaian | bintang | peringkat
    評価 | クチコミスコア | 口コミスコア | レビュースコア | 総合スコア | スコア | 星等 | 星數 | 星数 | レビュワー評価 | レビュアー評価 | レビュー評価 | 口コミ評価 | 総合評価 | 評価点 | 評点 | 点数 | 星 | 星の数 | 总体评分 | 综合评分 | 总评分 | 评分 | 评分星级 | 星级 | 評分 | 별점 | 평점 | التقييم
    מספר כוכבים | כוכבים | تقييم | عدد النجوم | النجوم | จำนวนดาว | คะแนนรีวิว | βαθμός | αριθμός αστεριών | 점수 | 구매자 평점 | 상품 별점 | 만족도 | 별점수 | 評價 | 星級 | सितारे | मूल्यांकन
    yıldız sayısı | кількість зірок | antall stjerner`,
  text: `
    review text | product review | reviews text | review content | review body | review comment | review message | review description | full review
    review comments | general comments | original text text | text text | customer review | customer comment | customer feedback | user review | client review | guest review | public review | public comment | public feedback | comment content | review detail | text content
    review | comment | body | content | feedback | message | testimonial | text | comments | reviews | contents | texts | opinion | quote
    comment text | feedback text | testimonial text | your review | your feedback | description | remarks
    experience | verbatim | response | answer | reviewtext original | what did you think | overall comments | additional comments | body text | detail | snippet | rating text
    bewertungstext | rezensionstext | rezension | bewertung | kommentar | kundenmeinung | meinung | erfahrungsbericht
    kommentare | nachricht | inhalt | kundenstimme | rückmeldung | beitrag | kundenbewertung | beschreibung
    texte de l'avis | contenu de l'avis | avis client | avis | commentaire | commentaires | témoignage | contenu | texte | évaluation
    texto de la reseña | reseña | resena | comentario | comentarios | testimonio | opinión | contenido | texto | mensaje
    valoración | crítica
    testo recensione | testo della recensione | recensione | commento | commenti | testimonianza | opinione | contenuto | testo
    messaggio | giudizio
    reviewtekst | recensietekst | recensie | beoordelingstekst | beoordeling | opmerking | opmerkingen | ervaring
    reactie | tekst | inhoud | bericht | toelichting
    texto da avaliação | avaliação | resenha | depoimento | comentário | opinião | conteúdo | mensagem
    отзыв | текст отзыва | комментарий | opinia | treść opinii | komentarz | yorum | yorumlar | yorum metni | yorum içeriği | metin | değerlendirme metni | recension | omdöme | anmeldelse
    отзывы | комментарии | текст | відгуки | коментарі | отзиви | opinie | recenzje | komentarze | komentáře | vélemények | recenzii | comentarii | omdömen | anmeldelser | arvostelut
    відгук | текст відгуку | коментар | recenze | text recenze | komentář | hodnocení | vélemény | értékelés szövege | értékelés | recenzie | comentariu
    κριτική | κείμενο κριτικής | σχόλιο | αξιολόγηση | omtale | kommentar | arvostelu | arvio | palaute
    отзив | мнение | recenzija | рецензија | mišljenje | utisak | dojam | mnenje | recenzia | komentár | hodnotenie | arvustus | tagasiside | kommentaar
    atsauksme | komentārs | atsiliepimas | komentaras | ressenya | comentari | umsögn | نظر | نظرات | دیدگاه | समीक्षा | टिप्पणी
    ביקורת | חוות דעת | תגובה | รีวิว | ความคิดเห็น | ข้อความ | nhận xét | bình luận | nội dung | đánh giá | ulasan | isi ulasan | komentar
    口コミ | 口コミ内容 | 口コミ本文 | クチコミ | レビュー | レビュー内容 | レビュー本文 | レビューコメント | 本文 | 内容 | コメント | 感想 | 评论 | 评论内容 | 评价 | 评价内容 | 短评 | 短评内容 | 評論 | 評論內容 | 리뷰 | 리뷰 내용 | 후기 | 내용
    المراجعة | نص المراجعة | التعليق
    תוכן הביקורת | תוכן חוות הדעת | טקסט הביקורת | תוכן | טקסט | نص التقييم | نص التعليق | تعليق | تعليقات | مراجعة | رأي العميل | เนื้อหารีวิว
    ข้อความรีวิว | รีวิวจากลูกค้า | ความเห็น | κείμενο | σχόλια | κριτικές | κείμενο αξιολόγησης | 리뷰 본문 | 리뷰 상세내용 | 상품평 | 이용후기 | 후기 내용 | 평가 내용 | 고객 의견 | 댓글 내용 | 댓글 | 顾客评论 | 用户评论 | 評價內容 | 評語
    心得 | समीक्षा का पाठ | राय | müşteri yorumu | kullanıcı yorumu | зміст відгуку | содержание отзыва | ваш отзыв | isi komentar | teks ulasan | nội dung đánh giá
    treść recenzji | text hodnocení | arvostelun teksti`,
  title: `
    review title | review headline | review header | review heading | comment title | shop review title | bewertungstitel | titel der bewertung
    titre de l'avis | título de la reseña | titolo recensione | titolo della recensione | recensietitel | titel recensie | título da avaliação
    заголовок отзыва | tytuł opinii | レビュータイトル | 口コミタイトル | 评论标题 | 評論標題 | 리뷰 제목 | 후기 제목
    title | headline | heading | subject | summary | titel | betreff | überschrift | titre | objet | título
    asunto | titolo | oggetto | onderwerp | assunto
    заглавие | naslov | nadpis | pealkiri | virsraksts | antraštė | títol | عنوان | शीर्षक
    заголовок | tytuł | başlık | タイトル | 件名 | 标题 | 標題 | 제목 | العنوان`,
  author: `
    reviewer name | author name | author | reviewer | customer name | reviewer display name | customer display name | reviewer nickname | reviewer nick name | user nickname | profile name | review author | display name | customer
    traveler | traveller | user name | username | full name | comment author | author author name | author attribution display name | consumer display name | external user | diner name | diner | passenger name | traveler name | traveller name | patient name | member name | customer nickname | buyer name | name | client name | client | consumer name | consumer | guest name | guest | buyer
    reviewed by | posted by | submitted by | written by | writer | nickname | nick | your name | user | usernames | user names | authors | names | adlar | isimler | imiona | member | contact name | by
    first name | customer first name | reviewer first name | guest first name | author first name | customer full name | review author attribution text | user full name
    name des autors | autor | kundenname | verfasser | rezensent | bewerter | kunde | benutzername | benutzer | vorname
    nom du client | nom de l'auteur | auteur | nom | client | pseudo | utilisateur | prénom | voornaam | förnamn | fornavn | křestní jméno | etunimi
    nombre del cliente | nombre del autor | nombre | cliente | usuario
    nome cliente | nome autore | nome del cliente | autore | nome | recensore | utente
    naam | klantnaam | naam klant | klant | gebruiker | gebruikersnaam | recensent | naam beoordelaar
    nome do cliente | nome do autor | avaliador | usuário
    имя | автор | имя автора | клиент | imię | autor opinii | klient | isim | müşteri | namn | navn
    ім'я | клієнт | jméno | zákazník | név | vendég neve | nume | όνομα | ονοματεπώνυμο | πελάτης | nimi | asiakas
    име | ime | ime i prezime | ime in priimek | meno | meno a priezvisko | vārds | vardas | nafn | نام | نام کاربر | नाम
    שם | שם הכותב | ชื่อ | ชื่อผู้รีวิว | ลูกค้า | tên | họ tên | khách hàng | nama | nama pengulas | pelanggan
    comprador | nombre del comprador | nome do comprador | acheteur | acquirente | käufer | koper | köpare | køber
    имя покупателя | имя клиента | имя пользователя | ім'я покупця | imię klienta | müşteri adı | kullanıcı adı | ad soyad | adı soyadı | ad | adı | isim soyisim
    kupujący | покупатель | 구매자 | 購入者 | 买家 | 買家 | 投稿者 | 投稿者名 | 評論者 | 评论者 | 評論人 | 评论人 | 名前 | 氏名 | ニックネーム | お名前 | 用户名 | 用户 | 姓名 | 昵称 | 作者 | 작성자 | 이름 | 닉네임 | الاسم | اسم المراجع
    име | ime | ime i prezime | ime in priimek | meno | zákazník | nom de l'usuari | nimi | kliendi nimi | vārds | klients | vardas | klientas | نام | نام کاربر | नाम
    user username | user display name | author username | author display name | user profile reference display name | creator | reviewer screen name | screen name | student name | reviewer username | reviewer full name | reviewer info name | author nickname | autor name | customers name | reviewer smart name
    nom prénom | nom et prénom | prénom nom | prénom et nom | nombre y apellidos | nombre y apellido | nombre completo | nome completo | nome e cognome
    vor und nachname | vorname nachname | name vorname | voor en achternaam | imię i nazwisko | jméno a příjmení | фио | имя и фамилия
    user prénom | prénom client | prénom du client | nama user | nama pengguna | nama pelanggan | yazan
    レビュワー名 | レビュアー名 | ゲスト名 | 宿泊者名 | レビュワー | レビュアー | 口コミ投稿者 | ユーザー名
    שם הלקוח | שם מלא | שם המבקר | מחבר | اسم العميل | اسم المستخدم | الاسم الكامل | اسم | ชื่อผู้ใช้ | ชื่อลูกค้า | ผู้รีวิว | ชื่อ นามสกุล
    όνομα πελάτη | όνομα χρήστη | συντάκτης | 작성자명 | 고객명 | 구매자명 | 리뷰어 | 등록자 | 暱稱 | 用户昵称 | 用户名称 | 买家昵称 | 会员名 | 會員暱稱 | 用戶名稱 | 用戶名 | 顧客姓名 | 客户姓名 | 评论用户 | ग्राहक का नाम | автор отзыва
    автор відгуку | ім'я клієнта | піб | tên khách hàng | nama lengkap | kundens navn | asiakkaan nimi | vásárló neve | jméno zákazníka`,
  avatar: `
    author avatar url | avatar url | avatar | author avatar | profile image url | profile image | profile photo url
    profile photo | profile picture | profile picture url | reviewer photo url | reviewer photo | author image
    author photo | user image | user photo | photo url | image url | profilbild | photo de profil | foto de perfil
    foto profilo | profielfoto | profile pic | user thumbnail | author thumbnail | reviewer thumbnail | user avatar | reviewer avatar`,
  url: `
    review url | review link | link to review | url | link | permalink | review permalink | source url | source link
    platform url | web address | bewertungslink | lien | lien de l'avis | enlace | enlace de la reseña | collegamento
    link recensione | link review | link ulasan | koppeling | ligação | レビュー詳細url | レビューurl | 口コミurl`,
  language: `
    review language | language | lang | locale | reviewer language | content locale | language code | original language | in language | comment language | text language | sprache | langue | idioma | lingua
    taal | língua
    язык | język | dil | språk | sprog | 言語 | 语言 | 언어 | اللغة`,
  translation: 'translation | translated text | text translated | review translation',
}

function wordsOf(names: string): { alone: ReadonlySet<string>; any: ReadonlySet<string> } {
  const aliases = names.split(/[|\n]/).map((name) => name.trim().split(/\s+/).map(normalizeHeader))
  return { alone: new Set(aliases.filter((name) => name.length === 1).flat()), any: new Set(aliases.flat()) }
}

/** The words that make up the names of a field, and those that are a name on their own. */
export const ALIAS_WORDS = { date: wordsOf(NAMES.date), rating: wordsOf(NAMES.rating), text: wordsOf(NAMES.text) }

/** Normalized names by field, in order of preference; fields are in the order in which their columns are assigned. */
export const HEADER_ALIASES = new Map(Object.entries(NAMES).map(([field, names]) => [field as Field, headerSet(names)]))
