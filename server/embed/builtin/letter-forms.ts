import { POINTS } from '../../points.ts'

/** Hebrew, Arabic, Thai and half-width katakana: most texts have none of them. */
const HAS_FORMS = /[\u0591-\u06ff\u0e4d\uff61-\uff9f]/
/** Letters of Arabic that are typed in several ways, and Persian's of the same shape. */
const ARABIC: ReadonlyMap<string, string> = new Map(
  ['اأإآٱ', 'وؤ', 'يىئی', 'هةۀ', 'كک'].flatMap((alike) => [...alike.slice(1)].map((form) => [form, alike.charAt(0)])),
)
const ARABIC_FORMS = new RegExp(`[${[...ARABIC.keys()].join('')}]`, 'g')
/**
 * The article, and what is written together with it and with the next word, as light stemmers for Arabic take them off
 * (Larkey's light10); in Hebrew "and" and the article, before a word of some length.
 */
const PREFIXES =
  /(?<![\u05d0-\u05ea\u0621-\u06d3])(?:و?(?:[بكف]?ال|لل)(?=[\u0621-\u06d3]{3})|(?:וה|ו|ה)(?=[\u05d0-\u05ea]{4}))/g
/** Thai "am" as two signs, with the mark of its tone before or between them. */
const SARA_AM = /\u0e4d([\u0e48-\u0e4b]?)\u0e32/g
const HALF_WIDTH = /[\uff61-\uff9f]+/g

/**
 * A text with one form for letters that people write in several, in scripts of which the model knows no word and compares
 * the spelling: Arabic without marks, hamzas and articles, Hebrew without points and articles, whole katakana. Two spellings
 * of a word would otherwise share half of their pieces.
 */
export function normalizeLetterForms(text: string): string {
  if (!HAS_FORMS.test(text)) return text
  return text
    .replace(POINTS, '')
    .replace(ARABIC_FORMS, (form) => ARABIC.get(form) ?? form)
    .replace(PREFIXES, '')
    .replace(SARA_AM, '$1\u0e33')
    .replace(HALF_WIDTH, (run) => run.normalize('NFKC'))
}
