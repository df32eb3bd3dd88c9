import * as v from 'valibot'
import { INSIGHTS_DAYS } from '../src/contract/limits.ts'
import { parseUrl } from '../src/contract/parse-url.ts'
import { AddressInvalid, readDatabaseAddress } from './db/address.ts'
import { isNetwork } from './http/client-address.ts'
import { DEFAULT_CACHE_BOUNDS } from './search/cache.ts'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

function whole(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`
  return v.pipe(
    v.string(),
    v.regex(/^\d{1,16}$/, message),
    v.transform(Number),
    v.minValue(min, message),
    v.maxValue(max, message),
  )
}

function address(schemes: string[], what: string) {
  return v.pipe(
    v.string(),
    v.check((value) => schemes.includes(parseUrl(value)?.protocol ?? ''), `must be ${what}`),
  )
}

/**
 * Text of any form, but not as `docker run --env-file` passes it on from a file with quotation marks: a folder would be another
 * one, with an empty database, and a secret another secret.
 */
const plain = (what: string) =>
  v.pipe(
    v.string(),
    v.regex(/^(?!(["']).*\1$)\S(?:.*\S)?$/s, `is in quotation marks or has blanks around it: write only the ${what}`),
  )
/** A prefix ends in a blank. */
const prefix = v.pipe(v.string(), v.regex(/^(?!(["']).*\1$)/s, 'is in quotation marks: write only the text'))

/** Includes the parser's reason, since a rejected address usually has a password with a special character. */
const databaseAddress = v.pipe(
  v.string(),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    try {
      readDatabaseAddress(dataset.value)
    } catch (error) {
      if (!(error instanceof AddressInvalid)) throw error
      addIssue({ message: error.message })
    }
  }),
)
const service = v.pipe(
  address(['http:', 'https:'], 'an address that begins with http:// or https://'),
  // Requests do not support credentials in their address. An invalid address also gets here, and was reported above.
  v.check((url) => {
    const { username, password } = parseUrl(url) ?? { username: '', password: '' }
    return username + password === ''
  }, 'must be an address without user name or password: put the key in PULLQUOTE_EMBEDDING_KEY'),
  v.transform((url) => url.trim().replace(/\/+$/, '')),
)
/** Paths are appended to it, and everybody can read it. */
const publicAddress = v.pipe(
  address(['http:', 'https:'], 'an address that begins with http:// or https://'),
  v.transform((url) => new URL(url)),
  v.check(
    ({ href, username, password }) => !/[?#]/.test(href) && username === '' && password === '',
    'must be an address without ?, #, user name or password',
  ),
  v.transform(({ href }) => href.replace(/\/+$/, '')),
)
const networks = v.pipe(
  v.string(),
  v.transform((text) => text.split(/[\s,]+/).filter((each) => each !== '')),
  v.everyItem(isNetwork, 'must be addresses or networks such as 10.0.0.0/8, separated by commas'),
)
const flag = v.pipe(
  v.picklist(['true', 'false'], 'must be true or false'),
  v.transform((value) => value === 'true'),
)
const COUNT = Number.MAX_SAFE_INTEGER

const CALIBRATION = 'must be a number from -0.2 to 10'
const REQUEST_FIELDS = 'must be a JSON object like {"input_type":"query"}, without model, input or dimensions'
const requestFields = v.pipe(
  v.string(),
  v.parseJson(undefined, REQUEST_FIELDS),
  v.custom<Record<string, unknown>>(
    (value) =>
      v.is(v.record(v.string(), v.unknown()), value) &&
      !Array.isArray(value) &&
      !['model', 'input', 'dimensions'].some((name) => Object.hasOwn(value, name)),
    REQUEST_FIELDS,
  ),
)

export const settings = v.object({
  DATABASE_URL: v.optional(databaseAddress),
  PULLQUOTE_HOME: v.optional(
    v.pipe(plain('path'), v.regex(/^(?!~(?:[\\/]|$))/, 'begins with ~, which only shells expand: write the full path')),
  ),
  PULLQUOTE_HOST: v.optional(plain('address'), '127.0.0.1'),
  PULLQUOTE_PORT: v.optional(whole(0, 65_535), '8787'),
  PULLQUOTE_PUBLIC_URL: v.optional(publicAddress),
  PULLQUOTE_OPERATOR_TOKEN: v.optional(
    v.pipe(
      plain('token'),
      v.regex(/^[\x21-\x2b\x2d-\x7e]{16,}$/, 'must have at least 16 printable characters, without spaces or commas'),
    ),
  ),
  PULLQUOTE_EMBEDDER: v.optional(
    v.picklist(['builtin', 'openai', 'transformers'], 'must be builtin, openai or transformers'),
    'builtin',
  ),
  PULLQUOTE_EMBEDDING_URL: v.optional(service),
  PULLQUOTE_EMBEDDING_KEY: v.optional(
    v.pipe(
      plain('key'),
      v.regex(/^[\x20-\x7e]+$/, 'must contain only printable ASCII characters, since it is sent in a header'),
    ),
  ),
  PULLQUOTE_EMBEDDING_MODEL: v.optional(plain('name')),
  PULLQUOTE_EMBEDDING_DIMENSIONS: v.optional(whole(1, 15_999)),
  PULLQUOTE_EMBEDDING_CALIBRATION: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^-?\d+(\.\d+)?$/, CALIBRATION),
      v.transform(Number),
      // With less than 5, any cosine from -1 to the floor can be the threshold, and with -0.2 the cosine 0.99.
      v.minValue(-0.2, CALIBRATION),
      v.maxValue(10, CALIBRATION),
    ),
  ),
  PULLQUOTE_EMBEDDING_TIMEOUT_MS: v.optional(whole(1, 600_000)),
  PULLQUOTE_EMBEDDING_BATCH: v.optional(whole(1, 10_000)),
  PULLQUOTE_EMBEDDING_QUERY_PREFIX: v.optional(prefix),
  PULLQUOTE_EMBEDDING_DOCUMENT_PREFIX: v.optional(prefix),
  PULLQUOTE_EMBEDDING_QUERY_FIELDS: v.optional(requestFields),
  PULLQUOTE_EMBEDDING_DOCUMENT_FIELDS: v.optional(requestFields),
  PULLQUOTE_DEFAULT_PLAN: v.optional(v.picklist(['free', 'paid'], 'must be free or paid'), 'free'),
  PULLQUOTE_MAX_PROJECTS: v.optional(whole(1, 10_000)),
  PULLQUOTE_FREE_REVIEWS: v.optional(whole(0, 100_000_000)),
  PULLQUOTE_PAID_REVIEWS: v.optional(whole(0, 100_000_000)),
  PULLQUOTE_DAILY_EMBEDDINGS: v.optional(whole(0, COUNT)),
  PULLQUOTE_QUEUE_DEPTH: v.optional(whole(0, COUNT)),
  PULLQUOTE_CACHE_ENTRIES: v.optional(whole(1, 10_000_000), String(DEFAULT_CACHE_BOUNDS.entries)),
  PULLQUOTE_CACHE_BYTES: v.optional(whole(1, COUNT), String(DEFAULT_CACHE_BOUNDS.bytes)),
  PULLQUOTE_SEARCH_MEMORY: v.optional(whole(0, COUNT)),
  PULLQUOTE_INSIGHTS_DAYS: v.optional(whole(0, INSIGHTS_DAYS.max), '90'),
  PULLQUOTE_SHARED_CACHE_SECONDS: v.optional(whole(0, 300), '0'),
  PULLQUOTE_ADDRESS_SHARE: v.optional(whole(0, 100), '0'),
  PULLQUOTE_TRUSTED_PROXIES: v.optional(networks, ''),
  PULLQUOTE_DEMO: v.optional(flag, 'false'),
  PULLQUOTE_DEMO_PROJECT: v.optional(plain('name')),
  PULLQUOTE_CONSOLE: v.optional(flag, 'false'),
  PULLQUOTE_LOG_LEVEL: v.optional(v.picklist(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`), 'info'),
})
export type Settings = v.InferOutput<typeof settings>
