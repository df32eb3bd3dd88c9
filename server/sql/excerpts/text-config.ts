import { LANGUAGE_SAMPLE, languageByWords } from '../../language-by-words.ts'

/**
 * Maps a primary language subtag (ISO 639-1, as canonicalised by `Intl.Locale`) to the text-search configuration that stems
 * it. Only configurations of PostgreSQL 15; later servers add some, but a database must mean the same on all.
 * https://www.postgresql.org/docs/15/textsearch-dictionaries.html#TEXTSEARCH-SNOWBALL-DICTIONARY
 */
const CONFIG_BY_LANGUAGE = new Map(
  Object.entries({
    ar: 'arabic',
    hy: 'armenian',
    eu: 'basque',
    ca: 'catalan',
    da: 'danish',
    nl: 'dutch',
    en: 'english',
    fi: 'finnish',
    fr: 'french',
    de: 'german',
    el: 'greek',
    hi: 'hindi',
    hu: 'hungarian',
    id: 'indonesian',
    ga: 'irish',
    it: 'italian',
    lt: 'lithuanian',
    ne: 'nepali',
    // Bokmål and Nynorsk share one stemmer.
    nb: 'norwegian',
    nn: 'norwegian',
    no: 'norwegian',
    pt: 'portuguese',
    ro: 'romanian',
    ru: 'russian',
    sr: 'serbian',
    es: 'spanish',
    sv: 'swedish',
    ta: 'tamil',
    tr: 'turkish',
    yi: 'yiddish',
  }),
)

/** For a review that does not state its language and whose text does not reveal it. */
export const DEFAULT_TEXT_CONFIG = 'english'
const DEFAULT_LANGUAGE = 'en'
const BEYOND_ASCII = /[^\0-\x7f]/
/** Scripts used by (nearly) one language, and letters that rule it out. */
const CONFIG_BY_SCRIPT = [
  { letters: /\p{Script=Cyrillic}/gu, config: 'russian', not: /[іїєґўђјљњћџ]/iu },
  { letters: /\p{Script=Greek}/gu, config: 'greek' },
  { letters: /\p{Script=Arabic}/gu, config: 'arabic', not: /[پچژگکیےٹڈۆێ]/u },
  { letters: /\p{Script=Devanagari}/gu, config: 'hindi' },
  { letters: /\p{Script=Tamil}/gu, config: 'tamil' },
  { letters: /\p{Script=Armenian}/gu, config: 'armenian' },
]
/** Lower-cased words, without stemming or stop words. */
const UNKNOWN_LANGUAGE_TEXT_CONFIG = 'simple'

/** Every configuration that {@link textSearchConfig} may return, in order. */
export const TEXT_CONFIGS = [
  ...new Set([...CONFIG_BY_LANGUAGE.values(), DEFAULT_TEXT_CONFIG, UNKNOWN_LANGUAGE_TEXT_CONFIG]),
].sort()

/** Cached by tag: the same few recur, and parsing one takes microseconds. */
const configs = new Map<string, string>()
const MOST_CONFIGS = 256

/** ISO 639-2 `und`; its handling by `Intl.Locale` differs between releases of ICU. */
const UNDETERMINED = /^und(?:-|$)/i

/**
 * The PostgreSQL text-search configuration for a review's language.
 * @param language a BCP 47 tag such as `de-AT`, in any case; `null`, `undefined` or `und` when the review does not state it
 * @param text the review's text, whose script, letters and words decide then; {@link LANGUAGE_SAMPLE} characters of it suffice
 * @returns the name of a configuration that exists in PostgreSQL 15 and later; `simple` for a language without a stemmer and
 * for a tag that is no language (`x-…`)
 */
export function textSearchConfig(language: string | null | undefined, text = ''): string {
  if (language === null || language === undefined || UNDETERMINED.test(language)) return configOfText(text)
  const before = configs.get(language)
  if (before) return before
  const config = CONFIG_BY_LANGUAGE.get(primaryLanguage(language) ?? '') ?? UNKNOWN_LANGUAGE_TEXT_CONFIG
  if (configs.size >= MOST_CONFIGS) configs.clear()
  configs.set(language, config)
  return config
}

/** The languages that a configuration stems (ISO 639-1), none for `simple`. Texts of unstated language are `english`, too. */
export function languagesOfConfig(config: string): string[] {
  return [...CONFIG_BY_LANGUAGE].flatMap(([language, own]) => (own === config ? language : []))
}

/** By the script of more than half of the letters, otherwise by words. */
function configOfText(text: string): string {
  // Composed, since some files have decomposed accents.
  const sample = text.slice(0, LANGUAGE_SAMPLE).normalize('NFC')
  // Most texts have only Latin letters, none beyond U+0370.
  if (/[\u0370-\u1dff]/.test(sample)) {
    const letters = sample.match(/\p{L}/gu)?.length ?? 0
    const found = CONFIG_BY_SCRIPT.find((script) => (sample.match(script.letters)?.length ?? 0) * 2 > letters)
    if (found) return found.not?.test(sample) ? UNKNOWN_LANGUAGE_TEXT_CONFIG : found.config
  }
  const config = textSearchConfig(languageByWords(sample) ?? DEFAULT_LANGUAGE)
  // In English texts alone a word of a query finds its form without marks, which is how such a text may have been typed.
  return config === UNKNOWN_LANGUAGE_TEXT_CONFIG && !BEYOND_ASCII.test(sample) ? DEFAULT_TEXT_CONFIG : config
}

function primaryLanguage(tag: string): string | undefined {
  try {
    // Also maps aliases: `eng` to `en`, `ji` to `yi`.
    return new Intl.Locale(tag).language
  } catch {
    return undefined
  }
}
