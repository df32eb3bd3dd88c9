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

/**
 * Whether the client's `Accept` names the media type `wanted`, and prefers it to `usual`: by its weight, or by naming it first.
 * Generated clients name everything that a route may answer, and the one that they can read first.
 */
export function prefersMediaType(accept: string | null, wanted: string, usual: string): boolean {
  const weights = new Map<string | undefined, number>()
  for (const part of (accept ?? '').toLowerCase().split(',')) {
    const [type, ...parameters] = part.split(';').map((value) => value.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(type, weight === undefined ? 1 : Number(weight.slice(2)))
  }
  const [weight = 0, other = 0] = [weights.get(wanted), weights.get(usual)]
  const names = [...weights.keys()]
  return weight > other || (weight > 0 && weight === other && names.indexOf(wanted) < names.indexOf(usual))
}

/** Whether the client's `If-None-Match` has this version; weak and strong tags compare equal. */
export function matchesEtag(header: string | null, etag: string): boolean {
  const plain = (tag: string) => tag.trim().replace(/^W\//, '')
  return header?.split(',').some((tag) => tag.trim() === '*' || plain(tag) === plain(etag)) ?? false
}
