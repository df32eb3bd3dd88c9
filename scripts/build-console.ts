/**
 * Bundles the console's page into `dist/console/console.js` and `console.css`: `tsx scripts/build-console.ts`. The server
 * serves them from a development checkout and from the package alike.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, transform } from 'esbuild'
import { minifiedCss, TARGET } from './build-snippet.ts'

const root = join(import.meta.dirname, '..')
const CONSOLE_FOLDER = join(root, 'dist', 'console')

/** @returns sizes in bytes of script and style together */
export async function buildConsole(folder: string = CONSOLE_FOLDER): Promise<{ bytes: number; gzip: number }> {
  await mkdir(folder, { recursive: true })
  const script = join(folder, 'console.js')
  await build({
    entryPoints: [join(root, 'console', 'main.ts')],
    outfile: script,
    bundle: true,
    minify: true,
    format: 'esm',
    charset: 'utf8',
    target: TARGET,
    tsconfigRaw: { compilerOptions: { target: 'es2022' } },
    legalComments: 'none',
    plugins: [minifiedCss],
  })
  const source = await readFile(join(root, 'console', 'console.css'), 'utf8')
  const { code } = await transform(source, { loader: 'css', minify: true, target: TARGET })
  await writeFile(join(folder, 'console.css'), code)
  const files = [await readFile(script), Buffer.from(code)]
  const sum = (sizes: number[]) => sizes.reduce((all, one) => all + one, 0)
  return {
    bytes: sum(files.map((file) => file.length)),
    gzip: sum(files.map((file) => gzipSync(file, { level: 9 }).length)),
  }
}

if (process.argv[1] === import.meta.filename) {
  const { bytes, gzip } = await buildConsole()
  console.log(`${relative(root, CONSOLE_FOLDER)}: ${bytes} bytes, ${gzip} with gzip`)
}
