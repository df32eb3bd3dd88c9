/**
 * Bundles the server into `draft`/server, so that a start opens a few files instead of 250. Packages stay in
 * node_modules. Not minified, for readable stack traces.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join, posix, relative, sep } from 'node:path'
import { build, type Plugin } from 'esbuild'

const root = join(import.meta.dirname, '..')
/** Modules that the command line loads (src/client/connect.ts). */
const ENTRIES = ['start', 'open-service', 'config', 'maintenance']
/** Entry points of worker threads, as passed to `startThread`. */
const THREADS = ['search/memory/scan-thread', 'ingest/import-thread', 'embed/transformers-thread']
/** Extensions of files read at run time, and of threads that are JavaScript in the sources too. */
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
    plugins: [originalUrls((path) => `new URL('./${path}', import.meta.url).href`)],
  })
  for (const name of THREADS) {
    const path = join(built, `${name}.js`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `import '${posix.relative(dirname(name), basename(name))}.js'\n`)
  }
}

/**
 * Rewrites `import.meta.url` and `import.meta.dirname` of the server's modules, so that in a bundle they find the files
 * beside them at their original location.
 *
 * @param urlOf returns a JavaScript expression for the URL of a path within dist/server
 */
export function originalUrls(urlOf: (path: string) => string): Plugin {
  return {
    name: 'original-urls',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]server[\\/].*\.ts$/ }, ({ path }) => {
        const contents = readFileSync(path, 'utf8')
        if (!contents.includes('import.meta')) return undefined
        const own = relative(join(root, 'server'), path).replaceAll(sep, '/').replace(/ts$/, 'js')
        const url = urlOf(own)
        const rewritten = contents
          .replaceAll('import.meta.url', () => url)
          .replaceAll('import.meta.dirname', () => `fileURLToPath(new URL('.', ${url}))`)
        return { contents: `import { fileURLToPath } from 'node:url'; ${rewritten}`, loader: 'ts' }
      })
    },
  }
}
