import { pluralize } from '../output/pluralize.ts'

/** What to say after waiting for the indexing when some of the server's reviews are not indexed any more. */
export function setAsideLine(count: number): string {
  const verb = count === 1 ? 'is' : 'are'
  return `${pluralize(count, 'review')} on this server could not be indexed and ${verb} set aside. See why: pullquote reviews failed`
}
