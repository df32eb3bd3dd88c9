/**
 * Bundles the snippet into `dist/snippet/snippet.js`: `tsx scripts/build-snippet.ts`. The server serves that file from
 * a development checkout and from the package alike.
 */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { build, type Plugin, transform } from 'esbuild'
import { minify } from 'terser'
import { findLocalNames, gzipSize, withLocalNames } from './local-names.ts'

const root = join(import.meta.dirname, '..')
const SNIPPET_FILE = join(root, 'dist', 'snippet', 'snippet.js')

const RELEASED = join(root, 'snippet', 'released')

/** Internal properties to mangle, which no browser object has, grouped by object: names must differ within a group. */
const INNER_NAMES = Object.fromEntries(
  [
    ['anchor', 'carrier', 'frame', 'current', 'shown', 'asked', 'page'],
    ['h1', 'description', 'site'],
    ['refused'],
  ].flatMap((names, object) => names.map((name) => [name, `${name}$${object}`])),
)

/** Browsers since autumn 2022; older ones may fail. */
export const TARGET = ['chrome107', 'edge107', 'firefox106', 'safari16']

export const minifiedCss: Plugin = {
  name: 'minified-css',
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const css = await transform(await readFile(path, 'utf8'), { loader: 'css', minify: true, target: TARGET })
      return { contents: css.code.trim().replace(/([:,]) /g, '$1'), loader: 'text' }
    })
  },
}

/**
 * Builds the bundle into `outfile`, with those of earlier releases beside it. snippet/released/ has the file of each
 * release under its hash, since pages may load it with `integrity`.
 *
 * @returns sizes in bytes
 */
export async function buildSnippet(outfile: string = SNIPPET_FILE): Promise<{ bytes: number; gzip: number }> {
  const code = withLocalNames(await minifiedSnippet())
  await mkdir(dirname(outfile), { recursive: true })
  await writeFile(outfile, code)
  await cp(RELEASED, join(dirname(outfile), 'released'), { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  return { bytes: Buffer.byteLength(code), gzip: gzipSize(code) }
}

/** Minified by terser after esbuild, which saves a further 3 % with gzip. */
async function minifiedSnippet(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'snippet', 'snippet.ts')],
    write: false,
    bundle: true,
    minify: true,
    format: 'iife',
    charset: 'utf8',
    target: TARGET,
    // All target browsers support them.
    supported: { 'regexp-unicode-property-escapes': true },
    // The same function under a shorter name.
    define: { 'Number.parseInt': 'parseInt' },
    mangleProps: new RegExp(`^(${Object.keys(INNER_NAMES).join('|')})$`),
    mangleCache: INNER_NAMES,
    tsconfigRaw: { compilerOptions: { alwaysStrict: false, target: 'es2022' } },
    legalComments: 'none',
    plugins: [minifiedCss],
  })
  let code = outputFiles[0]?.text ?? ''
  // Hoists functions in a second run, since constants after hoisted functions are not folded.
  for (const hoist_funs of [false, true]) {
    const folding = { passes: 4, pure_getters: true, hoist_props: true, unsafe: true, unsafe_arrows: true }
    const compress = { ecma: 2020 as const, ...folding, hoist_funs }
    code = (await minify(code, { ecma: 2020, toplevel: true, compress, format: { shorthand: false } })).code ?? ''
  }
  return code
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes('--names')) findLocalNames(await minifiedSnippet())
  const { bytes, gzip } = await buildSnippet()
  console.log(`${relative(root, SNIPPET_FILE)}: ${bytes} bytes, ${gzip} with gzip`)
}
