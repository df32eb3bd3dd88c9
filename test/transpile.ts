/** Transpiles TypeScript once for all test processes: loading it through tsx takes a second more CPU time in each. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { transform, version } from 'esbuild'

const root = join(import.meta.dirname, '..')
const FOLDERS = ['bench', 'console', 'scripts', 'server', 'snippet', 'src', 'test']
const CACHE = join(root, 'node_modules', '.cache', 'pullquote', 'test-transpiled')

/**
 * Brings the transpiled sources up to date.
 *
 * @returns their folder, for test/transpiled-loader.js
 */
export async function transpile(): Promise<string> {
  const cache = join(CACHE, version)
  const sources = FOLDERS.flatMap((folder) => filesBelow(root, folder, '.ts'))
  const known = new Set(sources.map((source) => `${source}.js`))
  const made = existsSync(cache) ? FOLDERS.flatMap((folder) => filesBelow(cache, folder, '.js')) : []
  for (const left of made.filter((path) => !known.has(path))) rmSync(join(cache, left))
  await Promise.all(sources.map((source) => transpileFile(join(root, source), join(cache, `${source}.js`))))
  return cache
}

function filesBelow(base: string, folder: string, ending: string): string[] {
  if (!existsSync(join(base, folder))) return []
  const names = readdirSync(join(base, folder), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith(ending)).map((name) => join(folder, name))
}

/** Transpiles a file unless the target has the source's mtime. */
async function transpileFile(source: string, target: string): Promise<void> {
  const { mtime } = statSync(source)
  if (existsSync(target) && Math.round(statSync(target).mtimeMs) === mtime.getTime()) return
  const { code } = await transform(readFileSync(source, 'utf8'), {
    loader: 'ts',
    format: 'esm',
    target: 'node20.19',
    sourcefile: source,
    sourcemap: 'inline',
    sourcesContent: false,
  })
  mkdirSync(dirname(target), { recursive: true })
  // Not overwritten in place, since a hard-linked copy of this checkout may share the old file.
  rmSync(target, { force: true })
  writeFileSync(target, code)
  utimesSync(target, mtime, mtime)
}
