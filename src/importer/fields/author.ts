import { AUTHOR_NAME_LENGTH } from '../../contract/limits.ts'

/** The name of whoever has none. */
export const ANONYMOUS = 'Anonymous'

const ADDRESS = /[^\s@<>()[\]"',;:]+@[^\s@<>()[\]"',;:]+\.[^\s@<>()[\]"',;:]+/
const PHONE = /^[+(]*\d[\d\s()/.-]{6,}$/

/**
 * An author's name as it may stand on a page: without an e-mail address, as in `Ana <ana@mail.example>`, and none for a
 * name that is nothing else, or a telephone number.
 */
export function publicName(author: string): string {
  // No name is longer; the service refuses it.
  if (author.length > AUTHOR_NAME_LENGTH) return author
  if (PHONE.test(author)) return ''
  if (!author.includes('@') || !ADDRESS.test(author)) return author
  return author
    .replace(new RegExp(ADDRESS, 'g'), '')
    .replace(/mailto:/gi, '')
    .replace(/[<>()[\]"',;:\s|-]+$|^[<>()[\]"',;:\s|-]+/g, '')
    .trim()
}
