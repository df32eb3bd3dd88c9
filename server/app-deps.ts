import type { Plan } from '../src/contract/limits.ts'
import type { ConsoleSettings } from './console/access.ts'
import type { DatabaseCopy } from './db/embedded/copy-database.ts'
import type { FreeSpace } from './db/home/free-space.ts'
import type { DemoSettings } from './demo/access.ts'
import type { Clock } from './deps.ts'
import type { Doctor } from './doctor.ts'
import type { NoteLimit } from './http/address-limit.ts'
import type { BodyBudgets } from './http/byte-budget.ts'
import type { PipelineDeps } from './http/request-pipeline.ts'
import type { Worker } from './indexing/worker.ts'
import type { Allowance } from './ingest/accept.ts'
import type { Metrics } from './metrics.ts'
import type { FindBestCosines } from './search/best-cosine.ts'
import type { Explain } from './search/explain.ts'
import type { SearchMemory } from './search/memory/search-memory.ts'
import type { Search } from './search/search.ts'
import type { Bundles } from './snippet/bundles.ts'

/** The dependencies of the routes and of the checks before them. */
export interface AppDeps extends Omit<PipelineDeps, 'bodies' | 'signIn' | 'observe'> {
  search: Search
  explain: Explain
  worker: Pick<Worker, 'nudge' | 'state'>
  /** In-memory indexes; without them the database does all searches. */
  memory?: Pick<SearchMemory, 'state' | 'forget'> | undefined
  clock: Clock
  /** Signs list cursors; the same on every server of the installation. */
  cursorSecret: Uint8Array
  /** The operator's limits on indexing; pushes beyond them are `deferred`. */
  allowance: Allowance
  /** Copies the embedded database, for a backup that does not block anyone. */
  copyDatabase?: (() => Promise<DatabaseCopy>) | undefined
  /** Free space on the disk of the embedded database. */
  freeSpace?: FreeSpace | undefined
  /** Defaults of new projects, and their maximum number. */
  projects?: { defaultPlan?: Plan; max?: number }
  /** The vector space of this process's embedder. */
  model: { name: string; id: number }
  /** Memory for the bodies of all requests; default 32 MiB before their keys are known and 128 MiB after. */
  bodies?: BodyBudgets
  /** How long a shared cache may keep the response to a page's query; default: not at all, as in the contract. */
  sharedCacheSeconds?: number | undefined
  /** Finds the nearest excerpts for searches without results, and tells whether searches are counted. */
  insights: { nearest: FindBestCosines; counting: boolean }
  doctor: Doctor
  /** Limits requests of one address for `/snippet/note`; default unlimited. */
  noteLimit?: NoteLimit | undefined
  /** Observes every response; without it there is no `/metrics`. */
  metrics?: Metrics
  /** The built snippet; default: read from disk. */
  snippet?: Bundles
  /** Who may see the demo's pages, and of which project; default nobody. */
  demo?: DemoSettings | undefined
  /** Who may see the console; default nobody. */
  console?: ConsoleSettings | undefined
}
