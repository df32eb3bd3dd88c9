import { normalizeWord } from './short-cell.ts'

/**
 * Month names and abbreviations in the European languages of the header aliases, Arabic, Hebrew, Malay and Indonesian,
 * without accents and dots.
 */
const MONTHS = [
  'jan january januar janner janv janvier ene enero gen gennaio januari janeiro янв января январь ocak stycznia styczen січня ιανουαριου ιαν ledna ianuarie tammikuuta oca sty ian januara jaanuar jaan ינואר בינואר يناير януари січ sij sijecanj sijecnja gener janvaris janvari sausio јануар ינו בינו كانونثاني',
  'feb february februar fev fevr fevrier febrero febbraio februari fevereiro фев февраля февраль subat lutego luty лютого φεβρουαριου φεβ unora februarie helmikuuta lut sub февр februara veebruar veebr febr פברואר בפברואר فبراير февруари лют velj veljaca veljace febrer februaris vasario фебруар شباط פבר בפבר',
  'mar march marz mrz mars marzo maart mrt marco maerz мар марта март mart marca marzec marts березня μαρτιου μαρ brezna martie maaliskuuta marcius maret brez marec martsi marc מרץ במרץ مارس бер березень mac ozu ozujak ozujka marta kovo آذار',
  'apr april avr avril abr abril aprile апр апреля апрель nisan kwietnia kwiecien квітня απριλιου απρ dubna aprilie huhtikuuta aprilis kwi nis aprila aprill אפריל באפריל أبريل април кві квіт tra travanj travnja aprili balandzio نيسان אפר באפר',
  'may mai mayo mag maggio mei maio мая май mayis maja maj травня μαιου μαι kvetna toukokuuta majus מאי במאי مايو травень трав svi svibanj svibnja maig maijs maija geguzes мај ماي أيار',
  'jun june juni juin junio giu giugno junho июн июня июнь haziran czerwca czerwiec червня ιουνιου ιουν cervna iunie kesakuuta junius cze haz juna junij juuni יוני ביוני يونيو юни чер черв iun lipanj lipnja juny junijs junija birzelio јун حزيران',
  'jul july juli juil juillet julio lug luglio julho июл июля июль temmuz lipca lipiec липня ιουλιου ιουλ cervence iulie heinakuuta julius lip juill tem jula julij juuli julai יולי ביולי يوليو юли лип iul srpanj srpnja juliol julijs julija liepos јул يوليوز تموز',
  'aug august aout ago agosto augustus авг августа август agustos sierpnia sierpien augusti серпня αυγουστου αυγ srpna elokuuta augusztus agustus sie agu augusta avgust ogos אוגוסט באוגוסט أغسطس сер серп kol kolovoz kolovoza agost augusts agust rugpjucio avg ogo غشت אוג באוג',
  'sep sept september septembre septiembre set settembre setembro сен сент сентября сентябрь eylul wrzesnia wrzesien вересня σεπτεμβριου σεπ zari septembrie syyskuuta szeptember wrz eyl septembra ספטמבר בספטמבר سبتمبر септември вер szept ruj rujan rujna setembre septembris septembri rugsejo septembar септембар شتنبر أيلول ספט בספט',
  'oct october okt oktober octobre octubre ott ottobre out outubro окт октября октябрь ekim pazdziernika pazdziernik жовтня οκτωβριου οκτ rijna octombrie lokakuuta paz eki oktobra oktoober אוקטובר באוקטובר أكتوبر октомври жов жовт oktobris oktobri spalio oktobar октобар אוק באוק تشرينأول تشريناول',
  'nov november novembre noviembre novembro ноя нояб ноября ноябрь kasim listopada listopad листопада νοεμβριου νοε listopadu noiembrie marraskuuta lis kas novembra נובמבר בנובמבר نوفمبر ноември лис лист stu studeni studenoga studenog novembris novembri lapkricio novembar новембар نونبر נוב בנוב تشرينثاني',
  'dec december dez dezember decembre dic diciembre dicembre dezembro дек декабря декабрь aralik grudnia grudzien des desember грудня δεκεμβριου δεκ prosince decembrie joulukuuta gru dets dis ara decembra detsember disember דצמבר בדצמבר ديسمبر декември гру груд prosinac prosinca desembre decembris decembri gruodzio decembar децембар دجنبر דצמ בדצמ كانونأول كانوناول',
]

const monthByName = new Map(
  MONTHS.flatMap((names, index) => names.split(' ').map((name) => [normalizeWord(name), index + 1] as const)),
)

/** The month, 1–12, of a name or abbreviation in any of the languages. */
export function monthOf(name: string): number | undefined {
  return monthByName.get(normalizeWord(name))
}

/**
 * Minutes east of UTC: the zones of RFC 5322 section 4.3, and others whose letters name only one. Those of India, Ireland, Israel,
 * Bangladesh, Britain's summer, Arabia, the Gulf and the Atlantic name several: their time is read as if it had no zone, so that its day stays.
 */
const ZONES = new Map(
  Object.entries({
    0: 'Z UTC GMT UT WET IST BST AST GST',
    60: 'WEST CET WAT',
    120: 'CEST EET CAT SAST',
    180: 'EEST EAT MSK TRT',
    300: 'PKT',
    420: 'WIB ICT',
    480: 'SGT MYT HKT PHT WITA AWST',
    540: 'JST KST WIT',
    570: 'ACST',
    600: 'AEST',
    630: 'ACDT',
    660: 'AEDT',
    720: 'NZST',
    780: 'NZDT',
    '-180': 'BRT ART',
    '-240': 'EDT',
    '-300': 'EST CDT',
    '-360': 'CST MDT',
    '-420': 'MST PDT',
    '-480': 'PST',
  }).flatMap(([minutes, names]) => names.split(' ').map((name) => [name, Number(minutes)] as const)),
)

/** Minutes east of UTC of `Z`, `UTC`, `+0200`, `+02:00`, `GMT+2`; an empty zone is UTC. Undefined when unknown. */
export function zoneOffset(zone: string): number | undefined {
  const value = zone.trim().toUpperCase()
  if (value === '') return 0
  const named = ZONES.get(value)
  if (named !== undefined) return named
  const match = /^(?:UTC|GMT)?\s*([+-])(\d{1,2}):?(\d{2})?$/.exec(value)
  if (!match) return undefined
  const hours = Number(match[2])
  const minutes = Number(match[3] ?? 0)
  if (hours > 14 || minutes > 59) return undefined
  return (match[1] === '-' ? -1 : 1) * (hours * 60 + minutes)
}
