import * as v from 'valibot'
import { DEFAULT_SIMILARITY_FLOOR } from '../src/contract/limits.ts'
import { type Settings, settings } from './config-settings.ts'

/** A sentence or two on every setting; the type ensures that none is missing. */
const DESCRIPTIONS: Record<keyof Settings, string> = {
  DATABASE_URL:
    'PostgreSQL 15 or newer with pgvector 0.5 or newer, at an address as hosts give it. Default: the embedded database in `PULLQUOTE_HOME`.',
  PULLQUOTE_HOME:
    "Folder of the embedded database and of `server.json`, by which commands find the server. Default: the platform's data folder, such as `~/.local/share/pullquote`.",
  PULLQUOTE_HOST:
    'Address to listen on. `0.0.0.0` or `::` opens the server to the network: put a proxy with TLS before it.',
  PULLQUOTE_PORT: 'Port to listen on; 0 takes any free one.',
  PULLQUOTE_PUBLIC_URL: 'Where clients reach this server, for links in answers. Set it behind a proxy.',
  PULLQUOTE_OPERATOR_TOKEN:
    'Secret for the operator routes (projects, keys, backup, metrics). Default: a random one for each process, which commands on the same machine read from `server.json`.',
  PULLQUOTE_EMBEDDER:
    '`builtin` (in the package, no network), `openai` (any service with an OpenAI-compatible `/v1/embeddings`) or `transformers` (ONNX models, needs `@huggingface/transformers`). Changing it re-embeds every review in the background.',
  PULLQUOTE_EMBEDDING_URL: 'Base address of the embedding service (`openai`).',
  PULLQUOTE_EMBEDDING_KEY: 'Its key, if it takes one (`openai`).',
  PULLQUOTE_EMBEDDING_MODEL: 'Name of the model (`openai`), or a hub name or folder (`transformers`).',
  PULLQUOTE_EMBEDDING_DIMENSIONS: 'Length of the vectors to ask for, where the model offers a choice.',
  PULLQUOTE_EMBEDDING_CALIBRATION: `The constant that makes the floor ${DEFAULT_SIMILARITY_FLOOR} the best threshold of this model.`,
  PULLQUOTE_EMBEDDING_TIMEOUT_MS: 'How long one request to the embedding service may take.',
  PULLQUOTE_EMBEDDING_BATCH: 'Most texts in one request to the embedding service.',
  PULLQUOTE_EMBEDDING_QUERY_PREFIX: 'Text before every query, for models that were trained with one.',
  PULLQUOTE_EMBEDDING_DOCUMENT_PREFIX: 'Text before every excerpt, for models that were trained with one.',
  PULLQUOTE_EMBEDDING_QUERY_FIELDS:
    'More fields of the request for a query, as a JSON object: `{"input_type":"query"}` (`openai`).',
  PULLQUOTE_EMBEDDING_DOCUMENT_FIELDS: 'The same for excerpts (`openai`).',
  PULLQUOTE_DEFAULT_PLAN: 'Plan of a new project that names none: `free` or `paid`.',
  PULLQUOTE_MAX_PROJECTS: 'Most projects of the installation. Default: one while all are free, 50 once one is paid.',
  PULLQUOTE_FREE_REVIEWS: 'Most reviews of a free project, both environments together. Default: 5,000.',
  PULLQUOTE_PAID_REVIEWS: 'Most reviews of a paid project, both environments together. Default: 100,000.',
  PULLQUOTE_DAILY_EMBEDDINGS:
    'Texts that may be embedded for reviews in a UTC day, by all servers together. Past it pushes answer `indexing: "deferred"`.',
  PULLQUOTE_QUEUE_DEPTH: 'Reviews that may wait for indexing before pushes answer `indexing: "deferred"`.',
  PULLQUOTE_CACHE_ENTRIES: 'Most answers in the result cache of one process.',
  PULLQUOTE_CACHE_BYTES: 'Most bytes in the result cache of one process.',
  PULLQUOTE_SEARCH_MEMORY:
    "Bytes that one server process may use for its indexes in memory, from which it answers searches; about 650 an excerpt, and 4 GB at most. Default: an eighth of the machine's memory. `0`: every search is the database's, with the same answers.",
  PULLQUOTE_INSIGHTS_DAYS:
    'Days for which counts of what visitors searched are kept, for `pullquote insights`; 0 counts nothing, and what was counted goes.',
  PULLQUOTE_SHARED_CACHE_SECONDS:
    'How long a shared cache (a proxy, a CDN) may keep the answer of a page’s query, which then costs this server and the key’s limit nothing. `0`: not at all. What was hidden, changed or revoked may be shown that much longer.',
  PULLQUOTE_ADDRESS_SHARE:
    'Percent of a publishable key’s requests in a minute that one visitor’s address may take, so that a script leaves the rest to others. `0`: all of them. People behind one address (an office, a mobile network) share it.',
  PULLQUOTE_TRUSTED_PROXIES:
    'Addresses or networks (`10.0.0.0/8`) of proxies whose `X-Forwarded-For` says who the visitor is, separated by commas. Those on this machine always are.',
  PULLQUOTE_DEMO:
    'Show the pages at `/demo` to everyone. Otherwise they are for this machine, and off where `PULLQUOTE_HOST` or `PULLQUOTE_PUBLIC_URL` opens the server to others.',
  PULLQUOTE_DEMO_PROJECT:
    "Project that `/demo` shows; whoever sees the pages can query it. Default: the demo's own, `tarnholm-lake-hotel`.",
  PULLQUOTE_CONSOLE:
    'Offer the console at `/console` to everyone who has a sign-in link. Otherwise it is for this machine, and off where `PULLQUOTE_HOST` or `PULLQUOTE_PUBLIC_URL` opens the server to others.',
  PULLQUOTE_LOG_LEVEL:
    'Least important lines to log: `fatal`, `error`, `warn`, `info`, `debug`, `trace`, or `silent` for none.',
}

const SECRET = new Set(['DATABASE_URL', 'PULLQUOTE_OPERATOR_TOKEN', 'PULLQUOTE_EMBEDDING_KEY'])

/** All settings in schema order. */
export function configReference() {
  const defaults: Record<string, unknown> = v.getDefaults(settings)
  return Object.entries(DESCRIPTIONS).map(([name, description]) => {
    const value = defaults[name]
    return { name, description, default: value === undefined ? undefined : String(value), secret: SECRET.has(name) }
  })
}
