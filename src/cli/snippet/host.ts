import { usageError } from '../errors/failure.ts'

/** The server's address as it stands in the tag: one without a scheme would be a path of the page. */
export function parseHost(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isWhole = url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === ''
  if (isWhole) return value
  throw usageError(`"${value}" is no address of a server`, 'write it whole, for example https://reviews.example.com')
}
