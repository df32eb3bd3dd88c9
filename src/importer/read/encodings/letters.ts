/**
 * For each language that had legacy encodings: its non-ASCII letters, and the most frequent pairs with such a letter in
 * the Universal Declaration of Human Rights, most frequent first, plus a few that it lacks (œu, één). `_` is a word
 * boundary.
 */
export const WESTERN_LANGUAGES: readonly (readonly [letters: string, pairs: string])[] = [
  ['àâæçéèêëîïôœùûüÿ', 'téé__àà__édéésétérréêtégéc_êéeiéméédépévgépénéénléélséèscéémoùù_rêêmrèéqvéèrmêéfœu_œ'],
  ['äöüß', 'üränfüörküßeüneßtäärräähüblähörüwäät_ööfwüsäücfövöölßtaßäc_ühäfämäönußülütößmüßn'],
  ['áéíñóúü', 'ónióráá_ísánaíúbpúmáásúntírííaíd_ésíí_ífínníénmúeññaáctázólíítnóómgúélpóóssóólté'],
  ['áâãàçéêíóôõú', 'ãoçãaç_àõeà_çõcçráiçtênçémênuéçaé_nãídísáriãaíêmíl_ésãvíórtóá_úbmípúcíávérâniêlí'],
  ['àèéìòù', 'à_tàrà_èè_ù_é_tùò_hénéuòiùiò'],
  ['éëïóèü', 'iëël_ééé_één'],
  ['åäöé', 'räörätföärän_äälå_mävä_åmååttähäläråägånäkövpåsånäödämsägähöålösröådågåsjäög_ötö'],
  ['æøåé', 'ærå_ørpåvæmåræænælfægølæådødægføåeålårrømækådøøvøsråæs_ælønøhøøjbønæsågåæftåævøn'],
  ['æøåéòô', 'å__åpåærmåørødårlævæføjønøtøhøålkågåtåøkåtøvløøsøyåenåsøådråfårøånøndøømølmøøt_ø'],
  ['äöå', 'ä_täänääkäläälmäsävähäämärjääiyöäsätönäylödäävtöähpänäräös_äiäömö_äeölköäkööötäp'],
  [
    'áæðéíóöþúý',
    'ð__þaððaiðrééteðá_jóþeí_ðiðu_í_áálóðjárðþjíkæðörátféélríþalímáótög_öuðræðsöllöðrþávíðfsélýýsérþvrú_óþrráöfvæínætáðsöönsíé_öðmölá',
  ],
  ['àçéèíïóòúü', 'ó_ióé_téràà_és_éènçaú_àrmégúmínçístèílmèúbtíónaípúèstàtòièèrànsólíuèè_jàífòrícmó'],
  [
    'áéíóú',
    'í_áiá_íotánáiúéaéiríó_níú_nóháúnóiaílí_éé_héláhósíhíúiátráánférédáósíthú_ádídéáleáírmíás_ónúcópóínsócépárócúídtíúlártúúrsésúpéác',
  ],
  ['äõöüšž', 'õi_õvõ_üärühkõmõääõrvääiülpõõhöötätösükäüksõõuõlüdüünõäläeõtmäõnjäättüähpäö_öphüašušažši'],
  ['ëç', 'ë_tëërnëpëësënrëqëjësëëthëdëkëëm_çbëëz_ëmëçdgëëlvëëjëdzëcëlëçfëvfëëpëhëqçiçufçaç'],
]

/** As {@link WESTERN_LANGUAGES}, for Central and Eastern Europe and the rest of the world. */
export const OTHER_LANGUAGES: typeof WESTERN_LANGUAGES = [
  [
    'ąćęłńóśźż',
    'ośścłoażówzłą_ć_żdjąróę_ącżeńsięaćęd_żłaeńżyołłeałtęępżntóądórłydóełłneżwłkó_śząjępóśrsąiąańożgłlężałżwąiłdąsłśćićnąóżż_sółuązśw',
  ],
  [
    'áčďéěíňóřšťúůýž',
    'í_níráávé_á_áně_nánéněý_ažmáždpřnýzávádýžekéýcímvímíýméh_účiícřeěnárjíémvšdů_č_žděátožvéů_ákvěcíšetáýtečměřítěbývýčeláž_álčnřiré',
  ],
  [
    'áäčďéíĺľňóôŕšťúýž',
    'ráávť_é_néý_nýá_náažmáú_ždzádýýcžeýméh_čárí_čišeať_ľác_žľujúníiťvš_úkýkéžiáknútáočožyťsťštátsúréémčeál_šríútčnľavýúcoľláužiáímuš',
  ],
  [
    'áéíóöőúüű',
    'és_ésáásélágmétátéséénánálülárégítköérő_véözlálőzágáátó_étlé_ájávámálótóékólébnétőkéréküzéönázdésíábbádőósédrásüépházüzöötör_öád',
  ],
  ['ăâîşţ', 'ă_ţi_şşi_îîntăaţcăăţsănăărânnţţălărăţaătvăştîmâtfăăscâcţ_ţrâţemâmăămpăăcaşeşbăvâ'],
  ['čćđšž', 'štža_čičučržuććieđžićeaščnčoišuščiužđužečeoš_žčkđepćažšešaćučuačđieččažnožršočođ'],
  ['čšž', 'užžečežaoš_čiččišnržčlžišččnočišršešožčaštžb_žačškžnučažšikššeežhč_ščječlžšačušl'],
  [
    'çğıöşüâî',
    'ını_sırıkınıırişürdıiç_şeşlışahüş_tüşmünşışiıl_öışıkgöçitıçeülaşütiğğiuğğuü_ç_mü_üıyrşğrrüşe_çşkızbüörlüşteğöğağdüözaççağeşlısi̇',
  ],
  [
    'ąčęėįšųūž',
    'ų_ą_ę__į_žį_žmėsiųnėsębūmąišūt_štųįsškė_žišiėmsėėjčijųbėmųeššaažvėdėūrvęjąnčštžvkėgąėtižsąnędžnįiąląbętątūėltėmėrėš_ųjkūrįužšelė',
  ],
  [
    'āčēģīķļņšūž',
    'ībā_sīrīnāšatālīīgvēīvkāāstīzījānīātācītiņārpāādrāērvīošņaālāmēkīdākbācī_šējmālādīīsētkļrēbūešūtmēģiīkašiāšiī_īššupēāpsāķilēdēāj',
  ],
  [
    'àáâãéêìíòóôùúýăđĩũơưạảấầẩẫậắằẳặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỷỹ',
    '_đà_vàônyềềnườgườiácó_ự_cáượợciệđưìncómọọicủủahưânềutựấthôênđềbảhâớiànư_hữháuốốcộinààoị_mộộtiêữn',
  ],
  [
    'абвгдежзийклмнопрстуфхцчшщъыьэюя',
    'и_о__и_пстраниво_спрно_вове__ненная_а_й__ообаввеосваго_ктвтоодлиимчееланес_дм_в_тьныках_ре_чолт_',
  ],
  [
    'абвгдежзийклмнопрстуфхцчшщьюяєіїґ',
    'нао_і__па_и__нпрра_в_ія_воно_сннсткоавову__зваинтиоб_днианза_мви_онянеогнібоенх_пого_боддиослюта',
  ],
  [
    'абвгдежзийклмнопрстуфхцчшщъюя',
    'а_и_о_е__нна_и_п_сраванипрството_дав_вовненоандаен_отатеотитобатвеектврелит_сеос_чод_тзадеия_кри',
  ],
  [
    'абвгдежзиклмнопрстуфхцчшђјљњћ',
    'а_и_е__п_с_иу_о_рапрнаваав_н_дстко_оновоимни_уоводтиакмапом_даје_коссвојверелиоб_бнероенедњело_з',
  ],
  [
    'άέήίαβγδεζηθικλμνξοπρςστυφχψωϊόύώἐ',
    'α_ς__τι_κα_κν_αιικτηουτο_πη__ε_δτανα_α_σειδιποο_ή_στυ_ε__νείανοιιαίαερμα_μηςωνηνθεπραςσητεαταίλε',
  ],
  [
    'אבגדהוזחטיךכלםמןנסעףפץצקרשת',
    'ת__הותם_ה__לל__א_ו_בו_י__שיו_ככלן_אייםזכא_רואו_משלוללאוי_זדם_יחיבואדנולהוהלייתכוירחור_וביהשונייי',
  ],
  [
    'ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيًُّ',
    'ال_اة__ون_ي__أا__ليةل__فه_والامافيق_لححق_مانم_د__بلم_تو_أو_ي_عرالكى_لتامسا_إولعل_حت_ع_ريلأر_اتلى',
  ],
  [
    'ءآأؤإئابتثجحخدذرزسشصضطظعغفقلمنهوئًِپچژکگ',
    'د_ي__ا_بر_ه__م_وو__ک_دن_ت_انا_راايار_حدارد_ه_ت_آباندق_حقادميما_ردريتازکه_شل_ورواديم_ز_هراسياامود',
  ],
  [
    'กขคงจฉชซญฎฏฐฒณดตถทธนบปผพภมยรฤลวศษสหอะัาำิีึืุูเแโใไๆ็่้์',
    'ารกาละแลองทีี่ิทระจะใน่าสิามางธิทธปรด้ือันรัมี่งเปคว็นับติไดวา_แขอ_ทป็โดดย่อน_ะเชารร่จีสภาหรกคคน',
  ],
]
