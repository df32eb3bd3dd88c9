import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { writePrivateFile } from '../../client/private-file.ts'
import { codeOf } from '../../contract/code-of.ts'
import { suggestName } from '../errors/closest.ts'
import { CliError, usageError } from '../errors/failure.ts'

const profile = v.strictObject({
  url: v.optional(v.string()),
  key: v.optional(v.string()),
  operator_token: v.optional(v.string()),
  project: v.optional(v.string()),
  env: v.optional(v.picklist(['live', 'test'])),
})
/** A server and a project by name, with what it takes to talk to them. */
export type Profile = v.InferOutput<typeof profile>

const profilesFile = v.strictObject({
  default: v.optional(v.string()),
  profiles: v.record(v.pipe(v.string(), v.regex(/^[A-Za-z0-9][\w.-]{0,63}$/)), profile),
})
export type Profiles = v.InferOutput<typeof profilesFile>

export function profilesPath(configDir: string): string {
  return join(configDir, 'profiles.json')
}

/** The stored profiles; none when there is no file yet. */
export async function readProfiles(configDir: string): Promise<Profiles> {
  const path = profilesPath(configDir)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { profiles: {} }
    throw error
  }
  const checked = v.safeParse(v.pipe(v.string(), v.parseJson(), profilesFile), text)
  if (checked.success) return checked.output
  throw new CliError(`${path} is not a profiles file: ${checked.issues[0].message}`, {
    code: 'bad_profiles',
    hints: ['mend it, or remove it and run: pullquote login'],
  })
}

/** Whether others on this machine can read a file that holds keys; not where there is none. */
export async function isReadableByOthers(path: string): Promise<boolean> {
  if (process.platform === 'win32') return false
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && (found.mode & 0o077) !== 0
}

/** Writes the file whole or not at all, readable by its owner only. */
export async function writeProfiles(configDir: string, profiles: Profiles): Promise<void> {
  await mkdir(configDir, { recursive: true, mode: 0o700 })
  await writePrivateFile(profilesPath(configDir), `${JSON.stringify(profiles, null, 2)}\n`, { replace: true })
}

/** The profile of that name, or an error that says what may have been meant. */
export function findProfile(profiles: Profiles, name: string): Profile {
  const found = Object.hasOwn(profiles.profiles, name) ? profiles.profiles[name] : undefined
  if (found) return found
  const hint = suggestName(name, Object.keys(profiles.profiles), `make it with: pullquote login ${name}`)
  throw usageError(`there is no profile "${name}"`, hint)
}
