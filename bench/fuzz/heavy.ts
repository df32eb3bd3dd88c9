/** The largest of each kind of request: what is linear stays quick, what is not shows. Taken in turns, so that all come. */
import { monotony } from './hostile.ts'
import type { Random } from './random.ts'
import { type Credentials, ORIGIN, type Sent } from './requests.ts'

type Kind = (random: Random, keys: Credentials) => Omit<Sent, 'statuses' | 'access'> & { access?: Sent['access'] }

const ADDRESS_ROOM = 240_000

function repeated(random: Random, unit: string, room: number): string {
  let made = ''
  for (let n = 0; made.length < room; n++) made += `&${unit}${n}${random.chance(0.5) ? '=1' : ''}`
  return made.slice(1)
}

const strangersQuery: Kind = (random) => ({
  operation: 'address without a key',
  method: 'GET',
  target: `${random.pick(['/v1/query', '/healthz', '/v1/reviews', '/demo'])}?${repeated(random, random.pick(['%ff', 'x', '']), ADDRESS_ROOM)}`,
  headers: {},
  body: undefined,
})

const visitorsQuery: Kind = (random, keys) => ({
  operation: 'address with a publishable key',
  access: 'publishable',
  method: 'GET',
  target: `/v1/query?key=${random.pick(keys.publishable)}&${repeated(random, random.pick(['x', '%ff', 'metadata.', '']), ADDRESS_ROOM)}`,
  headers: { origin: ORIGIN },
  body: undefined,
})

const json = (keys: string, body: string) => ({
  headers: { authorization: `Bearer ${keys}`, 'content-type': 'application/json' },
  body: Buffer.from(body),
})

const review: Kind = (random, keys) => ({
  operation: 'one review of one thing over and over',
  access: 'secret',
  method: 'POST',
  target: '/v1/reviews',
  ...json(
    random.pick(keys.secret),
    JSON.stringify({
      external_id: `heavy-${random.int(1e9)}`,
      source: 'google',
      text: `a${monotony(random, 19_998)}b`,
      author_name: monotony(random, 256),
      occurred_at: '2026-01-05T10:00:00Z',
    }),
  ),
})

const query: Kind = (random, keys) => ({
  operation: 'query of one thing over and over',
  access: 'secret',
  method: 'POST',
  target: random.pick(['/v1/query', '/explain']),
  ...json(random.pick(keys.secret), JSON.stringify({ q: monotony(random, 500) })),
})

const deepJson: Kind = (random, keys) => {
  const open = random.pick(['[', '{"a":', '[{"filters":'])
  const [target, bytes] = random.pick([
    ['/v1/reviews', 1_000_000],
    ['/v1/query', 16_000],
  ] as const)
  const body = random.chance(0.5) ? open.repeat(bytes / open.length) : `"${'a'.repeat(bytes)}`
  return {
    operation: 'JSON that goes deep or on',
    method: 'POST',
    target,
    ...json(random.pick(keys.secret), body),
    access: 'secret',
  }
}

const manyFaults: Kind = (random, keys) => {
  const one = random.pick(['{}', '0', 'null', '{"text":0,"x":1}', `{${'"y":1,'.repeat(50)}"z":1}`])
  const body = `[${random
    .list(random.pick([100, 100_000]), () => one)
    .join(',')
    .slice(0, 900_000)}]`
  return {
    operation: 'a push of many faults',
    method: 'POST',
    target: '/v1/reviews',
    ...json(random.pick(keys.secret), body),
    access: 'secret',
  }
}

const MIB = 1024 * 1024

/** Files of the greatest size, or with cells that are. Each header is another, so that none is known already. */
function file(random: Random): string {
  const name = `h${random.int(1e9)}`
  const kind = random.int(9)
  if (kind === 0) return `${name}${'h'.repeat(9 * MIB)},text,date\na,b,2026-01-05\n`
  if (kind === 1) return random.pick(['\n', '\r\n', '\r', ',', ' ', '"', '""', '[', '{']).repeat(5 * MIB)
  if (kind === 2) return `[{"text":"${'a'.repeat(10 * MIB - 100)}`
  if (kind === 3) return `[${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}]`
  if (kind === 4) return `[${'['.repeat(100_000)}1${']'.repeat(100_000)}]`
  if (kind === 5) return `text,date\n${'b,2026-01-05\n'.repeat(MIB / 2)}`
  if (kind === 6) return `{"reviews":[${'{"text":"b","date":"2026-01-05"},'.repeat(MIB / 5)}{}]}`
  const column = random.pick(['date', 'rating', 'text', 'author', 'url', 'id', 'status', 'language'])
  const cells = random.list(
    random.pick([1, 20]),
    () => `"${monotony(random, random.pick([1_500, 3_000, 30_000])).replaceAll('"', "'")}"`,
  )
  if (column === 'text') return `text,date\n${cells.map((cell) => `${cell},2026-01-05`).join('\n')}\n`
  if (column === 'date') return `text,date\n${cells.map((cell) => `b,${cell}`).join('\n')}\n`
  return `text,date,${column}\n${cells.map((cell) => `b,2026-01-05,${cell}`).join('\n')}\n`
}

const upload: Kind = (random, keys) => ({
  operation: 'upload',
  access: 'secret',
  method: 'POST',
  target: '/imports?dry_run=true',
  headers: {
    authorization: `Bearer ${random.pick(keys.secret)}`,
    'content-type': random.pick(['text/csv', 'application/json', 'application/octet-stream']),
  },
  body: Buffer.from(file(random)),
})

const KINDS = [
  upload,
  strangersQuery,
  review,
  upload,
  visitorsQuery,
  review,
  query,
  deepJson,
  upload,
  manyFaults,
  review,
]

/** @param turn which of the kinds */
export function makeHeavy(random: Random, keys: Credentials, turn: number): Sent {
  const kind = KINDS[turn % KINDS.length] ?? upload
  return { statuses: undefined, access: 'none', ...kind(random, keys) }
}
