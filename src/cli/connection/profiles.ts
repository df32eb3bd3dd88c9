import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import { codeOf } from '../../contract/code-of.ts'
import { suggestName } from '../errors/closest.ts'
import { CliError, usageError } from '../errors/failure.ts'

const profile = v.strictObject({
  url: v.exactOptional(v.string()),
  key: v.exactOptional(v.string()),
  operator_token: v.exactOptional(v.string()),
  project: v.exactOptional(v.string()),
  env: v.exactOptional(v.picklist(['live', 'test'])),
})
/** A server and a project by name, with what it takes to talk to them. */
export type Profile = v.InferOutput<typeof profile>

const profilesFile = v.strictObject({
  default: v.exactOptional(v.string()),
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

/** Whether others on this machine can read the file with the keys. */
export async function isReadableByOthers(configDir: string): Promise<boolean> {
  if (process.platform === 'win32') return false
  const found = await stat(profilesPath(configDir)).catch(() => undefined)
  return found !== undefined && (found.mode & 0o077) !== 0
}

/** Writes the file whole or not at all, readable by its owner only. */
export async function writeProfiles(configDir: string, profiles: Profiles): Promise<void> {
  const path = profilesPath(configDir)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}.tmp`
  try {
    await writeFile(draft, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 })
    await chmod(draft, 0o600)
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}

/** The profile of that name, or an error that says what may have been meant. */
export function findProfile(profiles: Profiles, name: string): Profile {
  const found = Object.hasOwn(profiles.profiles, name) ? profiles.profiles[name] : undefined
  if (found) return found
  const hint = suggestName(name, Object.keys(profiles.profiles), `make it with: pullquote login ${name}`)
  throw usageError(`there is no profile "${name}"`, hint)
}
