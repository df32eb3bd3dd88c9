/** How a body may travel. */
export type Encoding = 'br' | 'gzip' | 'identity'

const REFUSED = /;\s*q=0(\.0*)?\s*$/

/** The smallest encoding that a client accepts, by its `Accept-Encoding`. */
export function negotiateEncoding(header: string | null): Encoding {
  const accepted = (header ?? '')
    .split(',')
    .filter((part) => !REFUSED.test(part))
    .map((part) => part.split(';')[0]?.trim().toLowerCase())
  return (['br', 'gzip'] as const).find((encoding) => accepted.includes(encoding)) ?? 'identity'
}

/** Whether a client has this version already, by its `If-None-Match`; weak and strong tags are compared alike. */
export function matchesEtag(header: string | null, etag: string): boolean {
  const plain = (tag: string) => tag.trim().replace(/^W\//, '')
  return header?.split(',').some((tag) => tag.trim() === '*' || plain(tag) === plain(etag)) ?? false
}
