/** A language's relative dates: what comes before and after (`vor …`, `… ago`), and the words for one of a unit. */
export interface AgoLanguage {
  around: [before: string, after: string][]
  one?: string
  /** `word=2` includes its number. */
  units: Partial<Record<Unit, string>>
}
export const UNITS = ['moment', 'hour', 'day', 'week', 'month', 'year'] as const
export type Unit = (typeof UNITS)[number]

/** Relative dates by language. */
export const LANGUAGES: readonly AgoLanguage[] = [
  {
    around: [['', 'ago']],
    one: 'a an one',
    units: {
      moment: 'second seconds sec secs minute minutes min mins moment',
      hour: 'hour hours hr hrs h',
      day: 'day days d',
      week: 'week weeks wk wks w',
      month: 'month months mo mos',
      year: 'year years yr yrs y',
    },
  },
  { around: [['last', '']], units: { week: 'week=1', month: 'month=1', year: 'year=1' } },
  {
    around: [['vor', '']],
    one: 'einem einer ein eine',
    units: {
      moment: 'sekunde sekunden minute minuten',
      hour: 'stunde stunden std',
      day: 'tag tage tagen',
      week: 'woche wochen',
      month: 'monat monate monaten',
      year: 'jahr jahre jahren',
    },
  },
  {
    around: [
      ['hace', ''],
      ['há', ''],
      ['', 'atrás'],
    ],
    one: 'un una um uma',
    units: {
      moment: 'segundo segundos minuto minutos',
      hour: 'hora horas',
      day: 'día días',
      week: 'semana semanas',
      month: 'mes meses mês',
      year: 'año años ano anos',
    },
  },
  {
    around: [['il y a', '']],
    one: 'un une',
    units: {
      moment: 'seconde secondes minute minutes',
      hour: 'heure heures',
      day: 'jour jours',
      week: 'semaine semaines',
      month: 'mois',
      year: 'an ans année années',
    },
  },
  {
    around: [['', 'fa']],
    one: 'un una un’',
    units: {
      moment: 'secondo secondi minuto minuti',
      hour: "ora ore un'ora=1 un’ora=1",
      day: 'giorno giorni',
      week: 'settimana settimane',
      month: 'mese mesi',
      year: 'anno anni',
    },
  },
  {
    around: [['', 'geleden']],
    one: 'een één',
    units: {
      moment: 'seconde seconden minuut minuten',
      hour: 'uur uren',
      day: 'dag dagen',
      week: 'week weken',
      month: 'maand maanden',
      year: 'jaar jaren',
    },
  },
  {
    around: [['', 'lalu']],
    one: 'satu',
    units: {
      moment: 'detik menit semenit=1',
      hour: 'jam sejam=1',
      day: 'hari sehari=1',
      week: 'minggu seminggu=1',
      month: 'bulan sebulan=1',
      year: 'tahun setahun=1',
    },
  },
  {
    around: [['', 'önce']],
    one: 'bir',
    units: { moment: 'saniye dakika', hour: 'saat', day: 'gün', week: 'hafta', month: 'ay', year: 'yıl' },
  },
  {
    around: [['', 'назад']],
    one: 'один одну',
    units: {
      moment: 'секунду секунды секунд минуту=1 минуты минут',
      hour: 'час=1 часа часов',
      day: 'день=1 дня дней',
      week: 'неделю=1 недели недель',
      month: 'месяц=1 месяца месяцев',
      year: 'год=1 года лет',
    },
  },
  {
    around: [['', 'тому']],
    one: 'один одну',
    units: {
      moment: 'секунду секунди секунд хвилину=1 хвилини хвилин',
      hour: 'годину=1 години годин',
      day: 'день=1 дні днів',
      week: 'тиждень=1 тижні тижнів',
      month: 'місяць=1 місяці місяців',
      year: 'рік=1 роки років',
    },
  },
  {
    around: [['', 'temu']],
    one: 'jeden jedną',
    units: {
      moment: 'sekundę sekundy sekund minutę=1 minuty minut',
      hour: 'godzinę=1 godziny godzin',
      day: 'dzień=1 dni',
      week: 'tydzień=1 tygodnie tygodni',
      month: 'miesiąc=1 miesiące miesięcy',
      year: 'rok=1 lata lat',
    },
  },
  {
    around: [
      ['for', 'siden'],
      ['för', 'sedan'],
      ['', 'siden'],
      ['', 'sedan'],
    ],
    one: 'en et ett én',
    units: {
      moment: 'sekund sekunder sekunder minut minutter minutt minuter',
      hour: 'time timer timme timmar',
      day: 'dag dage dager dagar',
      week: 'uge uger uke uker vecka veckor',
      month: 'måned måneder månad månader',
      year: 'år',
    },
  },
  {
    around: [['', 'sitten']],
    one: 'yksi',
    units: {
      moment: 'sekuntia minuutti=1 minuuttia',
      hour: 'tunti=1 tuntia',
      day: 'päivä=1 päivää',
      week: 'viikko=1 viikkoa',
      month: 'kuukausi=1 kuukautta',
      year: 'vuosi=1 vuotta',
    },
  },
  {
    around: [['', 'trước']],
    one: 'một',
    units: { moment: 'giây phút', hour: 'giờ', day: 'ngày', week: 'tuần', month: 'tháng', year: 'năm' },
  },
  {
    around: [
      ['منذ', ''],
      ['قبل', ''],
    ],
    units: {
      moment: 'ثانية ثوان دقيقة=1 دقيقتين=2 دقائق',
      hour: 'ساعة=1 ساعتين=2 ساعات',
      day: 'يوم=1 يومين=2 أيام يومًا',
      week: 'أسبوع=1 أسبوعين=2 أسابيع',
      month: 'شهر=1 شهرين=2 أشهر شهور شهرًا',
      year: 'سنة=1 سنتين=2 سنوات عام=1 عامين=2 أعوام',
    },
  },
  {
    around: [['לפני', '']],
    units: {
      moment: 'שניות דקה=1 דקות',
      hour: 'שעה=1 שעתיים=2 שעות',
      day: 'יום=1 יומיים=2 ימים',
      week: 'שבוע=1 שבועיים=2 שבועות',
      month: 'חודש=1 חודשיים=2 חודשים',
      year: 'שנה=1 שנתיים=2 שנים',
    },
  },
  {
    around: [['', 'पहले']],
    one: 'एक',
    units: {
      moment: 'सेकंड मिनट',
      hour: 'घंटा घंटे',
      day: 'दिन',
      week: 'सप्ताह हफ़्ते',
      month: 'महीना महीने माह',
      year: 'साल वर्ष',
    },
  },
  {
    around: [['', 'ที่แล้ว']],
    units: { moment: 'วินาที นาที', hour: 'ชั่วโมง', day: 'วัน', week: 'สัปดาห์', month: 'เดือน', year: 'ปี' },
  },
  {
    around: [['', 'წინ']],
    one: 'ერთი',
    units: { moment: 'წამის წუთის', hour: 'საათის', day: 'დღის', week: 'კვირის', month: 'თვის', year: 'წლის' },
  },
  {
    around: [['', '前']],
    units: {
      moment: '秒 秒钟 分 分鐘 分钟',
      hour: '時間 小时 小時',
      day: '日 天',
      week: '週間 周 週 个星期 個星期',
      month: 'か月 ヶ月 ヵ月 カ月 ケ月 个月 個月',
      year: '年',
    },
  },
  {
    around: [['', '전']],
    one: '한',
    units: { moment: '초 분', hour: '시간', day: '일', week: '주 주일', month: '달 개월', year: '년' },
  },
  {
    around: [
      ['πριν από', ''],
      ['πριν', ''],
    ],
    one: 'έναν μία μια ένα',
    units: {
      moment: 'δευτερόλεπτο δευτερόλεπτα λεπτό λεπτά',
      hour: 'ώρα ώρες',
      day: 'ημέρα ημέρες μέρα μέρες',
      week: 'εβδομάδα εβδομάδες',
      month: 'μήνα μήνες',
      year: 'έτος έτη χρόνο χρόνια',
    },
  },
  {
    // Czech and Slovak, without accents the same word.
    around: [['před', '']],
    units: {
      moment: 'sekundou=1 sekundami minutou=1 minutami chvílí=1 chvíľou=1',
      hour: 'hodinou=1 hodinami',
      day: 'dnem=1 dny dňom=1 dňami',
      week: 'týdnem=1 týdny týždňom=1 týždňami',
      month: 'měsícem=1 měsíci mesiacom=1 mesiacmi',
      year: 'rokem=1 roky lety rokom=1 rokmi',
    },
  },
  {
    around: [['', 'ezelőtt']],
    one: 'egy',
    units: {
      moment: 'másodperccel perccel',
      hour: 'órával',
      day: 'nappal',
      week: 'héttel',
      month: 'hónappal',
      year: 'évvel',
    },
  },
  {
    around: [['', '']],
    one: 'egy',
    units: { moment: 'perce', hour: 'órája', day: 'napja', week: 'hete', month: 'hónapja', year: 'éve' },
  },
  {
    around: [['acum', '']],
    one: 'o un',
    units: {
      moment: 'secunde minut minute',
      hour: 'oră ore',
      day: 'zi zile',
      week: 'săptămână săptămâni',
      month: 'lună luni',
      year: 'an ani',
    },
  },
]

/** Words for a single day, by how many days ago it was. */
export const DAYS = [
  [
    "today|just now|now|moments ago|heute|gerade eben|hoy|ahora|aujourd'hui|aujourd’hui|à l'instant|oggi|vandaag|zojuist|hoje|agora",
    'hari ini|baru saja|bugün|şimdi|сегодня|только что|сьогодні|dzisiaj|dziś|i dag|idag|tänään|hôm nay|vừa xong|اليوم|היום|आज|วันนี้|დღეს|σήμερα|dnes|ma|azi|astăzi|今天|今日|오늘|刚刚|剛剛|방금',
  ].join('|'),
  'yesterday|gestern|ayer|hier|ieri|gisteren|ontem|kemarin|dün|вчера|вчора|wczoraj|i går|igår|eilen|hôm qua|أمس|אתמול|เมื่อวาน|გუშინ|χθες|χτες|včera|tegnap|昨天|昨日|어제',
  'vorgestern|anteayer|avant-hier|eergisteren|anteontem|позавчера|przedwczoraj|προχθές|předevčírem|tegnapelőtt|alaltăieri|前天|一昨日|그저께',
]
