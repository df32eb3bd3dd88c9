import { homedir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { CodedError } from '../src/contract/code-of.ts'
import { defined } from '../src/contract/defined.ts'
import type { Plan } from '../src/contract/limits.ts'
import { isLoopback } from '../src/contract/loopback.ts'
import { type Problem, readConfigFile } from './config-file.ts'
import { type Settings, settings } from './config-settings.ts'
import type { EmbedderConfig } from './embed/create.ts'
import type { Audience } from './http/loopback.ts'
import { machineMemory } from './machine-memory.ts'

/** The settings by meaning; config-reference.ts documents them. */
export type ServerConfig = ReturnType<typeof readConfig>

/** Settings from the command line, which take precedence over the environment. */
export interface ConfigOverrides {
  home?: string | undefined
  host?: string | undefined
  port?: number | undefined
  logLevel?: string | undefined
  demo?: boolean | undefined
  console?: boolean | undefined
  demoProject?: string | undefined
}

/** The configuration has errors; `problems` lists all of them at once. */
export class ConfigInvalid extends CodedError<'config_invalid'> {
  readonly problems: Problem[]
  constructor(problems: Problem[]) {
    const lines = problems.map(({ setting, message }) => `  ${setting} ${message}`)
    super('config_invalid', `The configuration is not valid:\n${lines.join('\n')}`)
    this.problems = problems
  }
}

/**
 * Reads the configuration from environment variables and, with lower precedence, the configuration file. An empty variable
 * counts as unset.
 * @throws {ConfigInvalid} naming every invalid setting but no values, since some are secrets
 */
export function readConfig(env: NodeJS.ProcessEnv, overrides: ConfigOverrides = {}) {
  const { home, host, port, logLevel, demo, console, demoProject } = overrides
  const file = readConfigFile(
    env,
    nonEmpty({ home: home ?? env.PULLQUOTE_HOME }).home ?? defaultHome(env),
    Object.keys(settings.entries),
  )
  const given: Record<string, string | undefined> = {
    ...file.values,
    ...withoutLinks(nonEmpty(env)),
    ...defined({
      PULLQUOTE_HOME: home,
      PULLQUOTE_HOST: host,
      PULLQUOTE_PORT: port?.toString(),
      PULLQUOTE_LOG_LEVEL: logLevel,
      PULLQUOTE_DEMO: demo?.toString(),
      PULLQUOTE_CONSOLE: console?.toString(),
      PULLQUOTE_DEMO_PROJECT: demoProject,
    }),
  }
  const set = nonEmpty(given)
  const checked = v.safeParse(settings, set)
  const wrong = (checked.issues ?? []).map((issue) => ({
    setting: v.getDotPath(issue) ?? '',
    message: issue.message,
  }))
  const problems = [...file.problems, ...wrong, ...missing(set), ...(checked.success ? unshown(checked.output) : [])]
  if (!checked.success || problems.length > 0) throw new ConfigInvalid(problems)
  const values = checked.output
  return defined({
    databaseUrl: values.DATABASE_URL,
    operatorToken: values.PULLQUOTE_OPERATOR_TOKEN,
    demoProject: values.PULLQUOTE_DEMO_PROJECT,
    publicUrl: values.PULLQUOTE_PUBLIC_URL,
    home: values.PULLQUOTE_HOME ?? defaultHome(given),
    host: values.PULLQUOTE_HOST,
    port: values.PULLQUOTE_PORT,
    unknownVariables: Object.keys(withoutLinks(nonEmpty(env))).filter((name) => isUnknown(name)),
    unusedSettings:
      values.PULLQUOTE_EMBEDDER === 'transformers' ? OF_EMBEDDING_SERVICE.filter((name) => name in set) : [],
    // Set by hosting platforms; not one of our settings, since other programs of this machine get it too.
    unreadPort: set.PULLQUOTE_PORT === undefined && /^\d+$/.test(env.PORT ?? '') ? env.PORT : undefined,
    platform: PLATFORMS.find(([variable]) => env[variable])?.[1],
    embedder: embedderOf(values),
    allowance: defined({
      dailyEmbeddings: values.PULLQUOTE_DAILY_EMBEDDINGS,
      queueDepth: values.PULLQUOTE_QUEUE_DEPTH,
      reviewsPerProject: reviewCaps(values),
    }),
    projects: defined({ defaultPlan: values.PULLQUOTE_DEFAULT_PLAN, max: values.PULLQUOTE_MAX_PROJECTS }),
    cache: { entries: values.PULLQUOTE_CACHE_ENTRIES, bytes: values.PULLQUOTE_CACHE_BYTES },
    searchMemory: values.PULLQUOTE_SEARCH_MEMORY ?? Math.floor(machineMemory() / 8),
    insightsDays: values.PULLQUOTE_INSIGHTS_DAYS,
    sharedCacheSeconds: values.PULLQUOTE_SHARED_CACHE_SECONDS,
    addressShare: values.PULLQUOTE_ADDRESS_SHARE,
    trustedProxies: values.PULLQUOTE_TRUSTED_PROXIES,
    logLevel: values.PULLQUOTE_LOG_LEVEL,
    demo: values.PULLQUOTE_DEMO,
    console: values.PULLQUOTE_CONSOLE,
  })
}

/**
 * Whether the server listens only on the loopback interface and has no public address. There may still be a proxy in front of
 * it that leaves no trace in the headers, so whatever this opens must be safe to publish.
 */
export function servesThisMachineOnly({ host, publicUrl }: { host: string; publicUrl?: string | undefined }): boolean {
  return publicUrl === undefined && isLoopback(host)
}

/** Who may see pages: everybody if `isOffered`, otherwise only this machine, or nobody when the server is open to others. */
export function audienceOf(
  isOffered: boolean,
  config: Parameters<typeof servesThisMachineOnly>[0],
): Audience | undefined {
  if (isOffered) return 'everyone'
  return servesThisMachineOnly(config) ? 'loopback' : undefined
}

/** A demo project is set although nobody can see the demo. */
function unshown(values: Settings): Problem[] {
  const { PULLQUOTE_DEMO_PROJECT: name, PULLQUOTE_DEMO: demo, PULLQUOTE_HOST: host } = values
  if (name === undefined || demo || servesThisMachineOnly({ host, publicUrl: values.PULLQUOTE_PUBLIC_URL })) return []
  const message = 'is set, but /demo is off because the server is open to others: set PULLQUOTE_DEMO=true'
  return [{ setting: 'PULLQUOTE_DEMO_PROJECT', message }]
}

/** Hosting platforms whose disks do not last, by a variable that each of them sets. */
const PLATFORMS = [
  ['DYNO', 'Heroku'],
  ['FLY_APP_NAME', 'Fly'],
  ['K_SERVICE', 'Cloud Run'],
  ['RAILWAY_PROJECT_ID', 'Railway'],
  ['RENDER', 'Render'],
] as const

/** Variables that Kubernetes sets in every container for a Service called pullquote or pullquote-something. */
const OF_KUBERNETES = /^PULLQUOTE_(?:\w+_)?(?:SERVICE_(?:HOST|PORT)|PORT_\d+_)/

/** Drops them: `PULLQUOTE_PORT=tcp://10.0.0.1:8787` is not a setting. */
function withoutLinks(env: Record<string, string | undefined>): Record<string, string | undefined> {
  const isLink = (name: string, value = '') =>
    OF_KUBERNETES.test(name) || (/^PULLQUOTE_(?:\w+_)?PORT$/.test(name) && /^(?:tcp|udp):/.test(value))
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => !isLink(name, value)))
}

/** Variables read by commands or by this function itself, which are not server settings. */
const OF_COMMANDS = /^PULLQUOTE_(?:CONFIG|URL|KEY|PROFILE|PROJECT|ENV|PLACES_KEY|PLACES_URL|TEST_\w+)$/

function isUnknown(name: string): boolean {
  return name.startsWith('PULLQUOTE_') && !Object.hasOwn(settings.entries, name) && !OF_COMMANDS.test(name)
}

/** Drops a trailing newline, as in secrets read from files; what is then empty counts as unset. */
function nonEmpty(values: Record<string, string | undefined>): Record<string, string | undefined> {
  const lines = Object.entries(values).map(([name, value]) => [name, value?.replace(/[\r\n]+$/, '')])
  return Object.fromEntries(lines.filter(([, value]) => value !== undefined && value !== ''))
}

const NEEDED: Record<string, (keyof Settings)[]> = {
  openai: ['PULLQUOTE_EMBEDDING_URL', 'PULLQUOTE_EMBEDDING_MODEL'],
  transformers: ['PULLQUOTE_EMBEDDING_MODEL'],
}

/** Settings of an embedding service, which a model in this process does not read. */
const OF_EMBEDDING_SERVICE = [
  'PULLQUOTE_EMBEDDING_URL',
  'PULLQUOTE_EMBEDDING_KEY',
  'PULLQUOTE_EMBEDDING_DIMENSIONS',
  'PULLQUOTE_EMBEDDING_TIMEOUT_MS',
  'PULLQUOTE_EMBEDDING_QUERY_FIELDS',
  'PULLQUOTE_EMBEDDING_DOCUMENT_FIELDS',
] as const

/** Settings that the chosen embedder lacks; or the choice itself, when settings would have no effect. */
function missing(set: Record<string, string | undefined>): Problem[] {
  const embedding = Object.keys(set).find((name) => name.startsWith('PULLQUOTE_EMBEDDING_'))
  if (set.PULLQUOTE_EMBEDDER === undefined && embedding !== undefined) {
    const message = `must be set, since ${embedding} is: to openai or transformers to use it, or to builtin to ignore it`
    return [{ setting: 'PULLQUOTE_EMBEDDER', message }]
  }
  const needed = NEEDED[set.PULLQUOTE_EMBEDDER ?? ''] ?? []
  return needed
    .filter((setting) => set[setting] === undefined)
    .map((setting) => ({ setting, message: `must be set if PULLQUOTE_EMBEDDER=${set.PULLQUOTE_EMBEDDER}` }))
}

function reviewCaps(values: Settings): Partial<Record<Plan, number>> | undefined {
  const caps = defined({ free: values.PULLQUOTE_FREE_REVIEWS, paid: values.PULLQUOTE_PAID_REVIEWS })
  return Object.keys(caps).length > 0 ? caps : undefined
}

function embedderOf(values: Settings): EmbedderConfig {
  if (values.PULLQUOTE_EMBEDDER === 'builtin') return { provider: 'builtin' }
  const shared = {
    model: values.PULLQUOTE_EMBEDDING_MODEL ?? '',
    calibration: values.PULLQUOTE_EMBEDDING_CALIBRATION,
    batch: values.PULLQUOTE_EMBEDDING_BATCH,
    queryPrefix: values.PULLQUOTE_EMBEDDING_QUERY_PREFIX,
    documentPrefix: values.PULLQUOTE_EMBEDDING_DOCUMENT_PREFIX,
  }
  if (values.PULLQUOTE_EMBEDDER === 'transformers') return defined({ provider: 'transformers', ...shared })
  return defined({
    provider: 'openai',
    ...shared,
    url: values.PULLQUOTE_EMBEDDING_URL ?? '',
    key: values.PULLQUOTE_EMBEDDING_KEY,
    dimensions: values.PULLQUOTE_EMBEDDING_DIMENSIONS,
    queryFields: values.PULLQUOTE_EMBEDDING_QUERY_FIELDS,
    documentFields: values.PULLQUOTE_EMBEDDING_DOCUMENT_FIELDS,
    timeoutMs: values.PULLQUOTE_EMBEDDING_TIMEOUT_MS,
  })
}

/** The same data folder as the command line's, so that a server started either way opens the same database. */
function defaultHome(env: Record<string, string | undefined>): string {
  const base =
    env.XDG_DATA_HOME ||
    (process.platform === 'win32' ? env.LOCALAPPDATA : undefined) ||
    join(homedir(), '.local', 'share')
  return join(base, 'pullquote')
}
