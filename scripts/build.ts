/**
 * Builds the package into dist/: TypeScript without its types, which `npm run typecheck` checks, and beside it the files
 * that the code reads at run time.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname, join } from 'node:path'
import { BUILT, buildInputs } from './build-inputs.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
// Built beside its place and then moved there, so that what runs from dist/ meanwhile sees the old or the new.
const draft = join(root, 'node_modules', `.pullquote-build-${process.pid}`)
const READ_AT_RUN_TIME = new Set(['.sql', '.bin', '.json', '.html', '.css', '.wasm'])

const inputs = buildInputs()

function run(script: string, ...args: string[]) {
  execFileSync(process.execPath, [script, ...args], { cwd: root, stdio: 'inherit' })
}

const tsc = join(createRequire(import.meta.url).resolve('typescript/package.json'), '..', 'bin', 'tsc')
run(tsc, '-p', 'tsconfig.build.json', '--outDir', draft)

for (const folder of ['src', 'server']) {
  for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
    if (READ_AT_RUN_TIME.has(extname(name))) cpSync(join(root, folder, name), join(draft, folder, name))
  }
}

const { buildSnippet } = await import('./build-snippet.ts')
await buildSnippet(join(draft, 'snippet', 'snippet.js'))

const { buildConsole } = await import('./build-console.ts')
await buildConsole(join(draft, 'console'))

const { buildCli } = await import('./build-cli.ts')
await buildCli(draft)
// What the command line needs of them is in the bundle; the server needs the rest of src.
for (const folder of ['cli', 'client', 'commands']) rmSync(join(draft, 'src', folder), { recursive: true })

const old = `${draft}-old`
if (existsSync(dist)) renameSync(dist, old)
renameSync(draft, dist)
rmSync(old, { recursive: true, force: true })
writeFileSync(BUILT, inputs)
