/**
 * Bundles the server into `draft`/server, so that a start opens a few files instead of 250. Packages keep their own files
 * in node_modules. Names and lines stay, for the sake of stack traces.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join, posix, relative, sep } from 'node:path'
import { build, type Plugin } from 'esbuild'

const root = join(import.meta.dirname, '..')
/** What the command line loads (src/client/connect.ts). */
const ENTRIES = ['start', 'config', 'maintenance']
/** What runs as a thread, by the names that `startThread` is given. */
const THREADS = ['search/memory/scan-thread', 'ingest/import-thread']
/** Threads that are JavaScript in the sources too, and what is read at run time. */
const COPIED = new Set(['.js', '.sql', '.bin', '.json', '.html', '.css', '.txt', '.wasm'])

/** @param draft absolute path of the folder that becomes dist/ */
export async function buildServer(draft: string): Promise<void> {
  const source = join(root, 'server')
  const built = join(draft, 'server')
  for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (COPIED.has(extname(name))) cpSync(join(source, name), join(built, name))
  }
  await build({
    absWorkingDir: root,
    entryPoints: [...ENTRIES, ...THREADS].map((name) => ({ in: join(source, `${name}.ts`), out: basename(name) })),
    outdir: built,
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    packages: 'external',
    plugins: [sourcePlaces((path) => `new URL('./${path}', import.meta.url).href`)],
  })
  for (const name of THREADS) {
    const path = join(built, `${name}.js`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `import '${posix.relative(dirname(name), basename(name))}.js'\n`)
  }
}

/**
 * In a bundle, a module of the server finds the files beside it where it would have been itself.
 *
 * @param urlOf an expression: the URL of a path within dist/server
 */
export function sourcePlaces(urlOf: (path: string) => string): Plugin {
  return {
    name: 'places of the sources',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]server[\\/].*\.ts$/ }, ({ path }) => {
        const contents = readFileSync(path, 'utf8')
        if (!contents.includes('import.meta')) return undefined
        const own = relative(join(root, 'server'), path).replaceAll(sep, '/').replace(/ts$/, 'js')
        const url = urlOf(own)
        const placed = contents
          .replaceAll('import.meta.url', () => url)
          .replaceAll('import.meta.dirname', () => `fileURLToPath(new URL('.', ${url}))`)
        return { contents: `import { fileURLToPath } from 'node:url'; ${placed}`, loader: 'ts' }
      })
    },
  }
}
