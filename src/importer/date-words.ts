/** Month names in the languages of the header aliases, without accents and dots, by their first letters. */
const MONTHS: readonly (readonly string[])[] = [
  ['jan', 'january', 'januar', 'janner', 'janv', 'janvier', 'ene', 'enero', 'gen', 'gennaio', 'januari', 'janeiro'],
  ['feb', 'february', 'februar', 'fev', 'fevr', 'fevrier', 'febrero', 'febbraio', 'februari', 'fevereiro'],
  ['mar', 'march', 'marz', 'mrz', 'mars', 'marzo', 'maart', 'mrt', 'marco', 'maerz'],
  ['apr', 'april', 'avr', 'avril', 'abr', 'abril', 'aprile'],
  ['may', 'mai', 'mayo', 'mag', 'maggio', 'mei', 'maio'],
  ['jun', 'june', 'juni', 'juin', 'junio', 'giu', 'giugno', 'junho'],
  ['jul', 'july', 'juli', 'juil', 'juillet', 'julio', 'lug', 'luglio', 'julho'],
  ['aug', 'august', 'aout', 'ago', 'agosto', 'augustus'],
  ['sep', 'sept', 'september', 'septembre', 'septiembre', 'set', 'settembre', 'setembro'],
  ['oct', 'october', 'okt', 'oktober', 'octobre', 'octubre', 'ott', 'ottobre', 'out', 'outubro'],
  ['nov', 'november', 'novembre', 'noviembre', 'novembro'],
  ['dec', 'december', 'dez', 'dezember', 'decembre', 'dic', 'diciembre', 'dicembre', 'dezembro'],
]

const monthByName = new Map(MONTHS.flatMap((names, index) => names.map((name) => [name, index + 1] as const)))

/** The month, 1–12, of a name or its abbreviation in any of the languages. */
export function monthOf(name: string): number | undefined {
  return monthByName.get(
    name
      .normalize('NFKD')
      .replace(/[\u0300-\u036f.]/g, '')
      .toLowerCase(),
  )
}

/** Minutes east of UTC: RFC 5322 section 4.3, and the European zones, which mean one offset each. */
const ZONES: Record<string, number> = {
  Z: 0,
  UTC: 0,
  GMT: 0,
  UT: 0,
  WET: 0,
  WEST: 60,
  CET: 60,
  CEST: 120,
  EET: 120,
  EEST: 180,
  EST: -300,
  EDT: -240,
  CST: -360,
  CDT: -300,
  MST: -420,
  MDT: -360,
  PST: -480,
  PDT: -420,
}

/** Minutes east of UTC of `Z`, `UTC`, `+0200`, `+02:00`, `GMT+2`; an empty zone is UTC. Undefined when unknown. */
export function zoneMinutes(zone: string): number | undefined {
  const value = zone.trim().toUpperCase()
  if (value === '') return 0
  const named = ZONES[value]
  if (named !== undefined) return named
  const match = /^(?:UTC|GMT)?\s*([+-])(\d{1,2}):?(\d{2})?$/.exec(value)
  if (!match) return undefined
  const hours = Number(match[2])
  const minutes = Number(match[3] ?? 0)
  if (hours > 14 || minutes > 59) return undefined
  return (match[1] === '-' ? -1 : 1) * (hours * 60 + minutes)
}
