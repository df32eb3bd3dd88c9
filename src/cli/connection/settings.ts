import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { lockFile } from '../../client/file-lock.ts'
import { writePrivateFile } from '../../client/private-file.ts'
import { ignoreCodes } from '../../contract/code-of.ts'
import { parseUrl } from '../../contract/parse-url.ts'
import type { Environment } from '../../contract/review.ts'
import { makeFolder } from '../../make-folder.ts'
import { CliError, usageError } from '../errors/cli-error.ts'
import { suggestName } from '../errors/closest.ts'

/** The server, credentials and project of a command; undefined when nothing sets them. */
export interface Settings {
  url?: string | undefined
  key?: string | undefined
  operatorToken?: string | undefined
  project?: string | undefined
  env?: Environment | undefined
  profile?: string | undefined
  /** Where the project and the environment came from, for messages: `--project`, `PULLQUOTE_ENV`, `the profile "ops"`. */
  projectFrom?: string | undefined
  envFrom?: string | undefined
  home: string
  /** Notices for the user about where settings came from, a line each. */
  notices: string[]
}

/** The flags that say where a command connects, and with which credentials. */
export interface ConnectionFlags {
  url?: string | undefined
  key?: string | undefined
  'key-stdin'?: boolean | undefined
  project?: string | undefined
  env?: string | undefined
  /** The source of `env`, unless it is `--env`. */
  envFrom?: string | undefined
  profile?: string | undefined
}

/**
 * Resolves settings by precedence: flag, environment variable, profile, default. A profile's key and operator token are
 * sent only to that profile's server: with another `--url` they are ignored.
 */
export function resolveSettings(
  flags: ConnectionFlags,
  env: NodeJS.ProcessEnv,
  profiles: Profiles,
  defaultHome: string,
): Settings {
  const notices: string[] = []
  const named = flags.profile ?? given(env.PULLQUOTE_PROFILE) ?? profiles.default
  const profile = named === undefined ? {} : findProfile(profiles, named)

  const outsideUrl = flags.url ?? given(env.PULLQUOTE_URL)
  const url = outsideUrl ?? profile.url
  const ownServer = url === profile.url
  const overrules: [variable: string, flag: unknown, own: string | undefined, what: string, isSecret?: true][] = [
    ['PULLQUOTE_URL', flags.url, profile.url ?? '', 'address'],
    ['PULLQUOTE_KEY', flags.key, ownServer ? profile.key : undefined, 'key', true],
    ['PULLQUOTE_PROJECT', flags.project, profile.project, 'project'],
    ['PULLQUOTE_ENV', flags.env, profile.env, 'environment'],
  ]
  for (const [variable, flag, own, what, isSecret] of flags.profile === undefined ? [] : overrules) {
    const outside = flag === undefined ? given(env[variable]) : undefined
    if (outside === undefined || own === undefined || outside === own) continue
    const shown = isSecret ? variable : `${variable} (${outside})`
    notices.push(`${shown} is used instead of the ${what} of the profile "${flags.profile}"`)
  }
  const credentials: Profile = ownServer ? profile : {}
  const key = flags.key ?? given(env.PULLQUOTE_KEY) ?? credentials.key
  const operatorToken = given(env.PULLQUOTE_OPERATOR_TOKEN) ?? credentials.operator_token
  const ofProfile = `the profile "${named}"`
  const project = firstOf([
    ['--project', flags.project],
    ['PULLQUOTE_PROJECT', given(env.PULLQUOTE_PROJECT)],
    [ofProfile, profile.project],
  ])
  const environment = firstOf([
    [flags.envFrom ?? '--env', flags.env],
    ['PULLQUOTE_ENV', given(env.PULLQUOTE_ENV)],
    [ofProfile, profile.env],
  ])
  return {
    url: url === undefined ? undefined : checkedUrl(url),
    key,
    operatorToken,
    project: project?.value,
    projectFrom: project?.from,
    env: environment && checkedEnvironment(environment.value),
    envFrom: environment?.from,
    profile: named,
    home: given(env.PULLQUOTE_HOME) ?? defaultHome,
    notices,
  }
}

/** The first value that is set, with its source. */
function firstOf(ranked: [from: string, value: string | undefined][]): { from: string; value: string } | undefined {
  for (const [from, value] of ranked) if (value !== undefined) return { from, value }
  return undefined
}

/** An empty variable counts as unset. A trailing newline, as in secrets read from files, is dropped. */
function given(value: string | undefined): string | undefined {
  return value?.replace(/[\r\n]+$/, '') || undefined
}

/** What people copy from the documentation and the browser. */
const ROUTE_AT_END = /(\/(?:v1|docs|console)\/?)$/

function checkedUrl(written: string): string {
  const url = written.trim()
  const parsed = parseUrl(url)
  const isWeb = parsed !== undefined && /^https?:$/.test(parsed.protocol)
  const hint = `${isWeb ? 'leave out everything else' : 'include the scheme'}, for example https://reviews.example.com`
  // The URL is not echoed: no request could be sent with it, and every retry would print the password.
  if (parsed && parsed.username + parsed.password !== '')
    throw usageError(`the address of ${parsed.host} must not contain a user name or password`, hint)
  const [, route] = ROUTE_AT_END.exec(url) ?? []
  if (isWeb && route) throw usageError(`"${url}" is not the address of the server itself`, `leave out ${route}`)
  if (isWeb && !/[?#]/.test(url)) return url.replace(/\/+$/, '')
  throw usageError(`"${url}" is not an address`, hint)
}

function checkedEnvironment(value: string): Environment {
  if (value === 'live' || value === 'test') return value
  throw usageError(`"${value}" is not an environment`, 'use live or test')
}

const profile = v.strictObject({
  url: v.optional(v.string()),
  key: v.optional(v.string()),
  operator_token: v.optional(v.string()),
  project: v.optional(v.string()),
  env: v.optional(v.picklist(['live', 'test'])),
})
/** A stored server and project, with the credentials for them. */
export type Profile = v.InferOutput<typeof profile>

/** A valid name of a profile or mapping, which is also used as a file name. */
export const STORED_NAME = /^[A-Za-z0-9][\w.-]{0,63}$/

const profilesFile = v.strictObject({
  default: v.optional(v.string()),
  profiles: v.record(v.pipe(v.string(), v.regex(STORED_NAME)), profile),
})
export type Profiles = v.InferOutput<typeof profilesFile>

/** The file that `pullquote login` writes. */
export function profilesPath(configDir: string): string {
  return join(configDir, 'profiles.json')
}

/** The stored profiles; none when there is no file yet. @throws {CliError} `bad_profiles` */
export async function readProfiles(configDir: string): Promise<Profiles> {
  const path = profilesPath(configDir)
  // An account without a home has a file there: HOME=/dev/null.
  const text = await readFile(path, 'utf8').catch(ignoreCodes('ENOENT', 'ENOTDIR'))
  if (text === undefined) return { profiles: {} }
  const checked = v.safeParse(v.pipe(v.string(), v.parseJson(), profilesFile), text)
  if (checked.success) return checked.output
  throw new CliError(`${path} is not a profiles file: ${checked.issues[0].message}`, {
    code: 'bad_profiles',
    hints: ['fix it, or remove it and run: pullquote login'],
  })
}

/** Whether other users of this machine can read a file that holds keys; false when there is no file. */
export async function isReadableByOthers(path: string): Promise<boolean> {
  if (process.platform === 'win32') return false
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && (found.mode & 0o077) !== 0
}

/**
 * Changes the stored profiles under a lock, since of two commands that read the file at once one's key would be lost.
 * The file is written atomically, readable by its owner only.
 *
 * @param change receives what is stored at that moment
 */
export async function changeProfiles(configDir: string, change: (stored: Profiles) => Profiles): Promise<Profiles> {
  await makeFolder(configDir, 0o700)
  const path = profilesPath(configDir)
  const release = await lockFile(path)
  try {
    const changed = change(await readProfiles(configDir))
    await writePrivateFile(path, `${JSON.stringify(changed, null, 2)}\n`, { replace: true })
    return changed
  } finally {
    await release()
  }
}

/** The profile of that name. @throws {CliError} usage, with the most similar name */
export function findProfile(profiles: Profiles, name: string): Profile {
  const found = Object.hasOwn(profiles.profiles, name) ? profiles.profiles[name] : undefined
  if (found) return found
  const hint = suggestName(name, Object.keys(profiles.profiles), `create it with: pullquote login ${name}`)
  throw usageError(`there is no profile "${name}"`, hint)
}
