/** Which runs a test file needs, by its name and content. */
import { readFileSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '..')

/** A test file on one kind of database. */
export interface Run {
  file: string
  database: 'embedded' | 'postgres' | 'citus' | undefined
}

/** The test files at and below the paths. */
export async function testFiles(paths: string[]): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) {
    if ((await stat(path)).isFile()) found.push(path)
    else {
      const entries = await readdir(path, { recursive: true })
      found.push(...entries.filter((name) => name.endsWith('.test.ts')).map((name) => join(path, name)))
    }
  }
  return [...new Set(found)].sort()
}

/** One run per kind of database that the file's name asks for. */
export function runsOf(file: string): Run[] {
  if (file.endsWith('.db.test.ts')) {
    return [
      { file, database: 'embedded' },
      { file, database: 'postgres' },
      { file, database: 'citus' },
    ]
  }
  if (file.endsWith('.citus.test.ts')) return [{ file, database: 'citus' }]
  return [{ file, database: /\.(pg|crash)\.test\.ts$/.test(file) ? 'postgres' : undefined }]
}

/** The name of a run in the output and in the recorded times. */
export function labelOf({ file, database }: Run): string {
  return `${relative(root, file)}${database ? ` (${database})` : ''}`
}

/** Whether the test kills PostgreSQL. */
export function isCrashTest({ file }: Run): boolean {
  return file.endsWith('.crash.test.ts')
}

/** Whether the file needs its own process. */
export function isAlone({ file }: Run): boolean {
  return /^\/\/ In a process of its own: /m.test(readFileSync(file, 'utf8'))
}

/** Whether the file runs commands, or scripts that use the server, in child processes. */
export function usesCli({ file }: Run): boolean {
  return /\/(run-cli|serve-process|server-process|shell|console-stage|demo-server|child)\.ts'/.test(
    readFileSync(file, 'utf8'),
  )
}
