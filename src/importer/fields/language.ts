import { normalizeWord, shortCell } from './short-cell.ts'

/** Names of languages, and the codes of countries that Ctrip and others give for theirs. */
const NAMES: Record<string, readonly string[]> = {
  en: ['english', 'englisch', 'anglais', 'ingles', 'inglese', 'engels'],
  de: ['german', 'deutsch', 'allemand', 'aleman', 'tedesco', 'duits', 'alemao'],
  fr: ['french', 'franzosisch', 'francais', 'frances', 'francese', 'frans'],
  es: ['spanish', 'spanisch', 'espagnol', 'espanol', 'spagnolo', 'spaans', 'espanhol', 'castellano'],
  it: ['italian', 'italienisch', 'italien', 'italiano', 'italiaans'],
  nl: ['dutch', 'niederlandisch', 'neerlandais', 'holandes', 'olandese', 'nederlands', 'neerlandes'],
  pt: ['portuguese', 'portugiesisch', 'portugais', 'portugues', 'portoghese', 'portugees'],
  sv: ['swedish', 'svenska'],
  da: ['dk', 'danish', 'dansk'],
  nb: ['norwegian', 'norsk'],
  fi: ['finnish', 'suomi'],
  pl: ['polish', 'polski'],
  cs: ['cz', 'czech', 'cestina'],
  tr: ['turkish', 'turkce'],
  ru: ['russian', 'русский'],
  uk: ['ua', 'ukrainian', 'українська'],
  el: ['gr', 'greek'],
  ar: ['arabic', 'العربية'],
  he: ['hebrew', 'עברית'],
  hi: ['hindi'],
  ja: ['jp', 'japanese', '日本語'],
  ko: ['kr', 'korean', 'koreana', '한국어'],
  zh: ['cn', 'chinese', '中文'],
  hu: ['hungarian'],
  ro: ['romanian'],
  bg: ['bulgarian'],
  th: ['thai'],
  vi: ['vietnamese'],
  id: ['indonesian'],
  // Steam's names.
  'zh-CN': ['schinese'],
  'zh-TW': ['tchinese'],
  'pt-BR': ['brazilian'],
  'es-419': ['latam'],
}
const byName = new Map(
  Object.entries(NAMES).flatMap(([tag, names]) => names.map((name) => [normalizeWord(name), tag] as const)),
)
const TAG = /^(?:[A-Za-z]{2,3})(?:-[A-Za-z0-9]{2,8})*$/

/** The BCP 47 tag for `en`, `en_US`, `en-us` or a language's name; undefined for anything else. */
export function parseLanguage(cell: string): string | undefined {
  const value = shortCell(cell)
  // R's and Python's missing values, not Nauruan or Min Nan.
  if (value === undefined || /^(?:NA|nan|NaN)$/.test(value)) return undefined
  const known = byName.get(normalizeWord(value))
  if (known) return known
  const tag = value.replaceAll('_', '-')
  if (!TAG.test(tag) || tag.length > 35) return undefined
  try {
    const [canonical] = Intl.getCanonicalLocales(tag)
    return canonical !== undefined && isLanguage(canonical.split('-')[0] ?? '') ? canonical : undefined
  } catch {
    return undefined
  }
}

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
const known = new Map<string, boolean>()

/** Whether a code is a language's: a country's, such as `US`, is left out like any unknown word. */
function isLanguage(code: string): boolean {
  const is = known.get(code) ?? LANGUAGES.of(code) !== undefined
  known.set(code, is)
  return is
}
