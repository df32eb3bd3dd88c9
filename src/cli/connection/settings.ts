import type { Environment } from '../../contract/review.ts'
import { usageError } from '../errors/failure.ts'
import { findProfile, type Profile, type Profiles } from './profiles.ts'

/** Where to talk to, as whom, about what; what is absent has no setting. */
export interface Settings {
  url?: string | undefined
  key?: string | undefined
  operatorToken?: string | undefined
  project?: string | undefined
  env?: Environment | undefined
  profile?: string | undefined
  /** What named the project and the environment, for messages: `--project`, `PULLQUOTE_ENV`, `the profile "ops"`. */
  projectFrom?: string | undefined
  envFrom?: string | undefined
  home: string
  /** What the user should know about how the settings came to be, a line each. */
  notices: string[]
}

export interface SettingFlags {
  url?: string | undefined
  key?: string | undefined
  project?: string | undefined
  env?: string | undefined
  /** What `env` was read from, when it was not `--env`. */
  envFrom?: string | undefined
  profile?: string | undefined
}

/**
 * Settings by rank: flag, environment variable, profile, default. A profile's key and operator token go to that
 * profile's server only: with another `--url` they are left out.
 */
export function resolveSettings(
  flags: SettingFlags,
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
  if (flags.profile !== undefined && flags.url === undefined && !ownServer) {
    notices.push(`PULLQUOTE_URL (${outsideUrl}) is used instead of the address of the profile "${flags.profile}"`)
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

/** The first that is set, and what set it. */
function firstOf(ranked: [from: string, value: string | undefined][]): { from: string; value: string } | undefined {
  for (const [from, value] of ranked) if (value !== undefined) return { from, value }
  return undefined
}

/** An empty variable is an absent one. */
function given(value: string | undefined): string | undefined {
  return value === '' ? undefined : value
}

function checkedUrl(url: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url.replace(/\/+$/, '')
  throw usageError(`"${url}" is not an address`, 'write it with its scheme, for example https://reviews.example.com')
}

function checkedEnvironment(value: string): Environment {
  if (value === 'live' || value === 'test') return value
  throw usageError(`"${value}" is not an environment`, 'use live or test')
}
