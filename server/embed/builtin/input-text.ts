import { EMOJI } from './folding.ts'
import { normalizeLetterForms } from './letter-forms.ts'

/** "01 Breakfast", "02. Our rooms": the number of a section. Others may be part of the topic ("2 Schlafzimmer", "1. Klasse"). */
const SECTION = /^\s*0\d[.):]?\s+/
const WORDS = /[\p{L}\p{N}]/u

/**
 * What the model reads of a text: its letters in one form, and no emoji, which would be so many words of praise, unless there is
 * nothing else.
 */
export function documentText(text: string): string {
  const words = text.replace(EMOJI, ' ')
  return normalizeLetterForms(words === text || WORDS.test(words) ? words : text)
}

/** What it reads of a query: a heading's section number is left out too, which is half of a vector of few words. */
export function queryText(query: string): string {
  const words = documentText(query).replace(SECTION, '')
  return WORDS.test(words) ? words : normalizeLetterForms(query)
}
