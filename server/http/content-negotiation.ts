/** Content encodings. */
export type Encoding = 'br' | 'gzip' | 'identity'

const REFUSED = /;\s*q=0(\.0*)?\s*$/

/** The most compact encoding that the client's `Accept-Encoding` allows. */
export function negotiateEncoding(header: string | null): Encoding {
  const accepted = (header ?? '')
    .split(',')
    .filter((part) => !REFUSED.test(part))
    .map((part) => part.split(';')[0]?.trim().toLowerCase())
  return (['br', 'gzip'] as const).find((encoding) => accepted.includes(encoding)) ?? 'identity'
}

/** Whether the client's `If-None-Match` has this version; weak and strong tags compare equal. */
export function matchesEtag(header: string | null, etag: string): boolean {
  const plain = (tag: string) => tag.trim().replace(/^W\//, '')
  return header?.split(',').some((tag) => tag.trim() === '*' || plain(tag) === plain(etag)) ?? false
}
