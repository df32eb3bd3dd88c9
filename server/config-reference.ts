import * as v from 'valibot'
import { DEFAULT_SIMILARITY_FLOOR } from '../src/contract/limits.ts'
import { type Settings, settings } from './config-settings.ts'

/** A sentence or two on every setting; the type ensures that none is missing. */
const DESCRIPTIONS: Record<keyof Settings, string> = {
  DATABASE_URL:
    'Address of a PostgreSQL database (15 or newer, with pgvector 0.5 or newer), as hosting providers give it. Default: the embedded database in `PULLQUOTE_HOME`.',
  PULLQUOTE_HOME:
    "Folder for the embedded database and for `server.json`, through which commands find the server. Default: the platform's data folder, such as `~/.local/share/pullquote`.",
  PULLQUOTE_HOST:
    'Address to listen on. `0.0.0.0` or `::` opens the server to the network: put a proxy with TLS in front of it.',
  PULLQUOTE_PORT: 'Port to listen on; `0` picks any free one.',
  PULLQUOTE_PUBLIC_URL:
    'Address where clients reach this server, used for links in answers and in the tag that `pullquote snippet` prints. Set it if the server is behind a proxy.',
  PULLQUOTE_OPERATOR_TOKEN:
    'Secret for the operator routes (projects, keys, backup, metrics), of 16 characters or more. Default: a random one for each process; commands on the same machine read it from `server.json`.',
  PULLQUOTE_EMBEDDER:
    '`builtin` (in the package, no network), `openai` (any service with an OpenAI-compatible `/v1/embeddings`) or `transformers` (ONNX models, needs `@huggingface/transformers`). Changing it re-embeds every review in the background.',
  PULLQUOTE_EMBEDDING_URL: 'Base address of the embedding service (`openai`).',
  PULLQUOTE_EMBEDDING_KEY: 'API key of the embedding service, if it needs one (`openai`).',
  PULLQUOTE_EMBEDDING_MODEL: 'Name of the model (`openai`), or its name on the hub or a folder (`transformers`).',
  PULLQUOTE_EMBEDDING_DIMENSIONS: 'Length of the vectors to request, if the model offers a choice (`openai`).',
  PULLQUOTE_EMBEDDING_CALIBRATION: `Constant that adjusts the scores of this model so that the floor ${DEFAULT_SIMILARITY_FLOOR} is its best threshold. Default: what suits the model's name.`,
  PULLQUOTE_EMBEDDING_TIMEOUT_MS:
    'Milliseconds that one request to the embedding service may take (`openai`). Default: 30,000.',
  PULLQUOTE_EMBEDDING_BATCH:
    'Maximum number of texts in one request to the embedding service. Default: 32 (`openai`) or 16 (`transformers`).',
  PULLQUOTE_EMBEDDING_QUERY_PREFIX:
    'Text to put before every query, for models that were trained with one. Default: that of a known model, otherwise none.',
  PULLQUOTE_EMBEDDING_DOCUMENT_PREFIX: 'Text to put before every excerpt, in the same way.',
  PULLQUOTE_EMBEDDING_QUERY_FIELDS:
    'Additional fields for the request that embeds a query, as a JSON object such as `{"input_type":"query"}` (`openai`).',
  PULLQUOTE_EMBEDDING_DOCUMENT_FIELDS:
    'Additional fields for the request that embeds excerpts, in the same form (`openai`).',
  PULLQUOTE_DEFAULT_PLAN: 'Plan of new projects, unless one is chosen when a project is created: `free` or `paid`.',
  PULLQUOTE_MAX_PROJECTS:
    'Maximum number of projects in the installation. Default: one while all projects are free, 50 once one is paid.',
  PULLQUOTE_FREE_REVIEWS: 'Maximum number of reviews in a free project, both environments together. Default: 5,000.',
  PULLQUOTE_PAID_REVIEWS: 'Maximum number of reviews in a paid project, both environments together. Default: 100,000.',
  PULLQUOTE_DAILY_EMBEDDINGS:
    'Maximum number of texts that all servers together embed for reviews in a UTC day. Once it is reached, pushes answer `indexing: "deferred"`. With `0` nothing is indexed. Default: no limit.',
  PULLQUOTE_QUEUE_DEPTH:
    'Number of reviews that may wait for indexing before pushes answer `indexing: "deferred"`. Default: no limit.',
  PULLQUOTE_CACHE_ENTRIES: 'Maximum number of answers in the result cache of one process.',
  PULLQUOTE_CACHE_BYTES: 'Maximum size in bytes of the result cache of one process.',
  PULLQUOTE_SEARCH_MEMORY:
    "Bytes that one server process may use to answer searches from memory: about 650 per excerpt, and at most 4 GB. Default: an eighth of the machine's memory. With `0` the database answers every search, with the same results.",
  PULLQUOTE_INSIGHTS_DAYS:
    'Days for which counts of visitors’ searches are kept for `pullquote insights`; `0` turns counting off and deletes the existing counts. Of several servers the lowest number applies to all.',
  PULLQUOTE_SHARED_CACHE_SECONDS:
    'Seconds for which a shared cache (a proxy, a CDN) may keep the answer to a page’s query. Answers from the cache do not reach this server and do not count towards the key’s limit, but what was hidden, changed or revoked may still be shown for that long. `0`: not at all.',
  PULLQUOTE_ADDRESS_SHARE:
    'Percentage of a publishable key’s requests per minute that one visitor’s address may use, so that a single script cannot use up all of them. People behind one address (an office, a mobile network) share it. `0`: no such limit.',
  PULLQUOTE_TRUSTED_PROXIES:
    'Addresses or networks (`10.0.0.0/8`), separated by commas, of proxies that are trusted to name the visitor’s address in `X-Forwarded-For`. Proxies on this machine are always trusted.',
  PULLQUOTE_DEMO:
    'Show the pages at `/demo` to everyone. By default only this machine can see them, and they are off if `PULLQUOTE_HOST` or `PULLQUOTE_PUBLIC_URL` opens the server to others.',
  PULLQUOTE_DEMO_PROJECT:
    "Project that `/demo` shows; anyone who can see the pages can query it. Default: the demo's own project, `tarnholm-lake-hotel`.",
  PULLQUOTE_CONSOLE:
    'Offer the console at `/console` to everyone who has a sign-in link. By default only this machine can use it, and it is off if `PULLQUOTE_HOST` or `PULLQUOTE_PUBLIC_URL` opens the server to others.',
  PULLQUOTE_LOG_LEVEL:
    'Lowest level of messages to log: `fatal`, `error`, `warn`, `info`, `debug`, `trace`, or `silent` for none.',
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
