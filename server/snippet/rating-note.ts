import { readFileSync } from 'node:fs'

/** The part of a project's policy that readers of its reviews should know. */
export interface DisplayPolicy {
  minRating: number
  /** Sentences that complain are left out of the reviews that are shown. */
  withoutComplaints?: boolean
}

/** Words of the note: for all ratings, for `#` stars and more, for five only; and a suffix when complaints are left out. */
type Words = Record<'any' | 'from' | 'five' | 'complaints', string>

/** By language. */
const WORDS: Record<string, Words> = JSON.parse(readFileSync(new URL('./rating-note.json', import.meta.url), 'utf8'))

/**
 * The line below the reviews that says which ones are shown, and its language. Unrated reviews appear too unless they were
 * classified as negative, so every policy leaves something out.
 * @param language BCP 47 tag; the note is English if it is not translated
 */
export function ratingNote(policy: DisplayPolicy, language = 'en'): { note: string; lang: string } {
  const { minRating, withoutComplaints } = policy
  const primary = language.slice(0, 2).toLowerCase()
  const lang = /^[a-z]{2}\b/i.test(language) && Object.hasOwn(WORDS, primary) ? primary : 'en'
  const words = WORDS[lang] as Words
  const shown = minRating <= 1 ? words.any : minRating >= 5 ? words.five : words.from
  const note = shown.replace('#', String(minRating)) + (withoutComplaints ? `; ${words.complaints}` : '')
  return { note, lang }
}

/** The note in every language that it is translated to. */
export function ratingNotes(policy: DisplayPolicy): Record<string, string> {
  return Object.fromEntries(Object.keys(WORDS).map((language) => [language, ratingNote(policy, language).note]))
}
