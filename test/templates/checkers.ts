import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { execaSync } from 'execa'

/** Templates of `pullquote init`. */
export const TEMPLATES = join(import.meta.dirname, '..', '..', 'templates', 'deploy')

// Debian keeps nginx where only root's PATH leads.
const PATH = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']

/** The first of the programs that is not installed. */
export function missingTool(...names: string[]): string | undefined {
  return names.find((name) => toolPath(name) === undefined)
}

/** @throws when it is not installed */
export function requireTool(name: string): string {
  const path = toolPath(name)
  if (path === undefined) throw new Error(`${name} is not installed`)
  return path
}

function toolPath(name: string): string | undefined {
  return PATH.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

/** Runs a checker and returns its exit code with everything it said. */
export function check(name: string, args: string[], options: { cwd?: string; env?: Record<string, string> } = {}) {
  const { exitCode, all } = execaSync(requireTool(name), args, { ...options, all: true, reject: false })
  return { code: exitCode, said: String(all) }
}
