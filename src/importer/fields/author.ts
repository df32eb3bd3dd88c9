import { AUTHOR_NAME_LENGTH } from '../../contract/limits.ts'

/** The name of an author without one. */
export const ANONYMOUS = 'Anonymous'

const ADDRESS = /[^\s@<>()[\]"',;:]+@[^\s@<>()[\]"',;:]+\.[^\s@<>()[\]"',;:]+/
const PHONE = /^[+(]*\d[\d\s()/.-]{6,}$/

/**
 * Removes what must not be published from an author's name: an e-mail address, as in `Ana <ana@mail.example>`. Empty
 * for a name that is only an address or a telephone number.
 */
export function publicName(author: string): string {
  // The service rejects longer names.
  if (author.length > AUTHOR_NAME_LENGTH) return author
  if (PHONE.test(author)) return ''
  if (!author.includes('@') || !ADDRESS.test(author)) return author
  return author
    .replace(new RegExp(ADDRESS, 'g'), '')
    .replace(/mailto:/gi, '')
    .replace(/[<>()[\]"',;:\s|-]+$|^[<>()[\]"',;:\s|-]+/g, '')
    .trim()
}
