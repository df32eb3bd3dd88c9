/** Requests made of the description: every operation, with every kind of access. */
import type { Description, Operation } from './description.ts'
import { fromSchema, type Making } from './from-schema.ts'
import { brokenJson, DATES, monotony, RATINGS, text } from './hostile.ts'
import type { Random } from './random.ts'

export const ORIGIN = 'https://www.hotel.example'

export const ACCESSES = ['none', 'publishable', 'secret', 'operator', 'revoked', 'wrong', 'malformed'] as const
export type Access = (typeof ACCESSES)[number]

export interface Credentials {
  secret: string[]
  publishable: string[]
  revoked: string[]
  operator: string
}

export interface Sent {
  operation: string
  /** What the description says that it may answer; `undefined`: it says nothing of this path. */
  statuses: Set<number> | undefined
  access: Access
  method: string
  target: string
  headers: Record<string, string>
  body: Buffer | undefined
}

/** What earlier answers gave, and later requests may name. */
export interface Known {
  ids: string[]
  cursors: string[]
  imports: string[]
}

/** Projects that a request may name: those of the bystander and of the keys must stay. */
const VICTIMS = ['Hotel', 'Hotel', 'Victim', 'Elsewhere']

export function makeRequest(random: Random, from: Description, credentials: Credentials, known: Known): Sent {
  const operation = chooseOperation(random, from)
  const access = chooseAccess(random, operation)
  const making: Making = {
    random,
    schemas: from.schemas,
    spoil: random.pick([0, 0, 0.02, 0.15]),
    special: (name) => special(name, random, known),
  }
  const headers = headersOf(random, access, credentials)
  const query = queryOf(operation, making, access, credentials)
  const body = bodyOf(operation, making, headers)
  return {
    operation: operation.name,
    statuses: operation.statuses,
    access,
    method: operation.method,
    target: pathOf(operation, making) + query,
    headers,
    body,
  }
}

function chooseOperation(random: Random, { operations }: Description): Operation {
  const chosen = random.pick(operations)
  // Each of these reads all there is, or takes long to prepare.
  const rare = /backup|doctor|\/metrics|POST \/imports/.test(chosen.name)
  return rare && !random.chance(0.15) ? random.pick(operations.filter(({ path }) => path.startsWith('/v1/'))) : chosen
}

function chooseAccess(random: Random, { path }: Operation): Access {
  if (random.chance(0.25)) return random.pick(ACCESSES)
  if (path.startsWith('/operator') || path === '/metrics') return 'operator'
  return path === '/v1/query' && random.chance(0.5) ? 'publishable' : 'secret'
}

function tokenOf(random: Random, access: Access, keys: Credentials): string | undefined {
  if (access === 'none') return undefined
  if (access === 'operator') return keys.operator
  if (access === 'wrong') return `svc_${random.pick(['sk', 'pk'])}_live_${'0'.repeat(32)}`
  if (access === 'malformed')
    return random.pick(['x', 'svc_sk_live_', `svc_sk_live_${'é'.repeat(3)}`, 'a'.repeat(9_000)])
  return random.pick(keys[access])
}

function headersOf(random: Random, access: Access, keys: Credentials): Record<string, string> {
  const headers: Record<string, string> = {}
  const token = tokenOf(random, access, keys)
  if (token !== undefined && !(access === 'publishable' && random.chance(0.3))) {
    headers.authorization = random.chance(0.02)
      ? random.pick([`bearer ${token}`, token, `Bearer  ${token}`])
      : `Bearer ${token}`
  }
  if (access === 'publishable')
    headers.origin = random.chance(0.9) ? ORIGIN : random.pick(['null', 'https://b.example', 'x'])
  if (random.chance(0.1)) headers['cache-control'] = 'no-cache'
  if (random.chance(0.05)) headers['x-request-id'] = random.pick(['abc', 'a b', 'x'.repeat(200), '\t'])
  if (random.chance(0.03)) headers['x-forwarded-for'] = '203.0.113.9'
  if (random.chance(0.03)) headers['content-encoding'] = random.pick(['gzip', 'identity', 'br'])
  for (const [name, value] of Object.entries(headers)) headers[name] = Buffer.from(value).toString('latin1')
  return headers
}

function special(name: string, random: Random, known: Known): unknown {
  if (name === 'project' || name === 'name') return random.chance(0.8) ? random.pick(VICTIMS) : `${text(random)} v`
  if (name === 'external_id' && random.chance(0.9)) return `r${random.int(400)}`
  if (name === 'id') return random.chance(0.8) ? random.pick([...known.ids, ...known.imports, 'x']) : text(random)
  if (name === 'cursor')
    return random.chance(0.8) ? random.pick([...known.cursors, 'AAAA', 'A'.repeat(3_000)]) : text(random)
  if (name === 'text' && random.chance(0.15)) return monotony(random, random.pick([300, 2_000, 20_000]))
  return undefined
}

function pathOf({ path, parameters }: Operation, making: Making): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => {
    const schema = parameters.find((one) => one.name === name && one.in === 'path')?.schema ?? {}
    return encoded(String(fromSchema(schema, making, name))) || 'x'
  })
}

function encoded(part: string): string {
  return encodeURIComponent(part.toWellFormed())
}

const LONGEST_QUERY = 200_000

function queryOf({ parameters }: Operation, making: Making, access: Access, keys: Credentials): string {
  const { random } = making
  let pairs: string[] = []
  for (const { name, in: place, schema } of parameters) {
    if (place !== 'query' || random.chance(0.6)) continue
    const made = name === 'key' ? random.pick(keys.publishable) : fromSchema(schema, making, name)
    for (const one of Array.isArray(made) ? made : [made]) {
      pairs.push(`${encoded(name)}=${encoded(typeof one === 'object' ? JSON.stringify(one) : String(one))}`)
    }
  }
  if (access === 'publishable' && random.chance(0.2)) pairs.push(`key=${random.pick(keys.publishable)}`)
  if (random.chance(0.05))
    pairs.push(random.pick(['%', '%ff=1', 'a=%00', '%ed%a0%80', '+', '=', '__proto__=1', 'metadata.a=b']))
  if (random.chance(0.05)) pairs = pairs.concat(pairs)
  if (random.chance(0.004)) pairs = pairs.concat(manyPairs(random))
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** As many parameters as an address holds. */
function manyPairs(random: Random): string[] {
  const unit = random.pick(['%ff', 'x', 'metadata.', 'q', 'source', 'key', ''])
  const pairs: string[] = []
  const numbered = random.chance(0.7)
  for (let length = 0; length < LONGEST_QUERY; ) {
    const pair = `${unit}${numbered ? pairs.length : ''}${random.chance(0.5) ? '=' : ''}`
    pairs.push(pair)
    length += pair.length + 1
  }
  return pairs
}

function bodyOf({ body }: Operation, making: Making, headers: Record<string, string>): Buffer | undefined {
  const { random } = making
  if (!body) {
    if (!random.chance(0.03)) return undefined
    headers['content-type'] = 'application/json'
    return Buffer.from('{}')
  }
  if (random.chance(0.03)) return undefined
  const types = Object.keys(body)
  const type = random.pick(types)
  headers['content-type'] = random.chance(0.95) ? type : random.pick(['text/html', 'application/json; charset=x', ''])
  if (types.length > 1) return importFile(random, headers)
  const sound = JSON.stringify(fromSchema(body[type] ?? {}, making)) ?? 'null'
  return random.chance(0.06) ? brokenJson(random, sound) : Buffer.from(sound)
}

/** Anything that the importer reads, or says that it cannot. */
function importFile(random: Random, headers: Record<string, string>): Buffer {
  const kind = random.int(10)
  if (kind === 0) return brokenJson(random, JSON.stringify([{ text: text(random), date: DATES[0] }]))
  if (kind === 1) return Buffer.from(monotony(random, random.pick([100, 10_000, 300_000])))
  if (kind === 2) return Buffer.from(random.list(200, () => random.int(256)))
  if (kind === 3) return Buffer.from(JSON.stringify({ reviews: random.list(5, () => record(random)) }))
  if (kind === 4) return Buffer.from(random.list(5, () => JSON.stringify(record(random))).join('\n'))
  if (kind === 5 && random.chance(0.2)) return Buffer.from(`${'h'.repeat(2_000_000)},text,date\na,b,2026-01-05\n`)
  if (random.chance(0.5)) headers['content-type'] = 'text/csv'
  const delimiter = random.pick([',', ';', '\t', '|'])
  const header = random.pick([
    ['Text', 'Date', 'Rating', 'Author'],
    ['review', 'date', 'stars', 'name', 'id'],
    ['Review Text', 'Review Created (UTC)', 'Review Stars', 'Review Username'],
    random.list(random.pick([1, 3, 300]), () => text(random) || 'x'),
  ])
  const rows = random.list(random.pick([1, 5, 40]), () => header.map((name) => cell(random, name)).join(delimiter))
  const file = [header.map(quoted).join(delimiter), ...rows].join(random.pick(['\n', '\r\n', '\r']))
  return random.chance(0.1) ? Buffer.from(`\ufeff${file}`, 'utf16le') : Buffer.from(file)
}

function record(random: Random): Record<string, unknown> {
  return {
    text: random.chance(0.2) ? monotony(random, 20_000) : `The terrace ${text(random)}`,
    date: cellText(random, 'date'),
    rating: random.pick(RATINGS),
    author: text(random),
    [text(random) || 'x']: text(random),
  }
}

function cellText(random: Random, name: string): string {
  if (random.chance(0.05)) return monotony(random, random.pick([200, 1_500, 3_000, 20_001]))
  if (/date|created/i.test(name)) return random.pick(DATES)
  if (/rating|stars/i.test(name)) return random.pick(RATINGS)
  return /text|review/i.test(name) ? `Lovely breakfast ${text(random)}` : text(random)
}

function cell(random: Random, name: string): string {
  const made = cellText(random, name)
  return random.chance(0.97) ? quoted(made) : made
}

function quoted(made: string): string {
  return `"${made.replaceAll('"', '""')}"`
}
