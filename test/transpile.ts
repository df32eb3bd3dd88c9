/** TypeScript made JavaScript once for all processes of tests: to load it file by file through tsx takes a second of processor more in each. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { transform, version } from 'esbuild'

const root = join(import.meta.dirname, '..')
const FOLDERS = ['bench', 'console', 'scripts', 'server', 'snippet', 'src', 'test']
const CACHE = join(root, 'node_modules', '.cache', 'pullquote', 'test-transpiled')

/**
 * Brings what was made of the sources up to date.
 *
 * @returns its folder, for test/transpiled-loader.js
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

/** The time of a source's last change is that of what was made of it. */
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
  // A new file: a copy of this checkout, made by hard links, may share the old one and test other sources.
  rmSync(target, { force: true })
  writeFileSync(target, code)
  utimesSync(target, mtime, mtime)
}
