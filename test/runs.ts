/** The runs of test files: what stands in a file's name and its lines. */
import { readFileSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '..')

/** A test file on one kind of database. */
export interface Run {
  file: string
  database: 'embedded' | 'postgres' | 'citus' | undefined
}

/** The test files among and below the paths. */
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

/** Once for each kind of database that its name asks for. */
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

/** What the run is called in the output and in the times of earlier runs. */
export function labelOf({ file, database }: Run): string {
  return `${relative(root, file)}${database ? ` (${database})` : ''}`
}

/** Whether it kills PostgreSQL. */
export function isCrashTest({ file }: Run): boolean {
  return file.endsWith('.crash.test.ts')
}

/** Whether it has a process of its own. */
export function isAlone({ file }: Run): boolean {
  return /^\/\/ In a process of its own: /m.test(readFileSync(file, 'utf8'))
}

/** Whether the file runs commands, or scripts that use the server, in processes of their own. */
export function usesCli({ file }: Run): boolean {
  return /\/(run-cli|serve-process|server-process|shell|console-stage|child)\.ts'/.test(readFileSync(file, 'utf8'))
}
