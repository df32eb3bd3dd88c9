/** Builds the package into dist/. Types are gone by then: `npm run typecheck` checks them. */
import { existsSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildCli } from './build-cli.ts'
import { buildConsole } from './build-console.ts'
import { buildEmptyDatabase } from './build-empty-database.ts'
import { BUILT, buildInputs } from './build-inputs.ts'
import { buildServer } from './build-server.ts'
import { buildSnippet } from './build-snippet.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
// Built beside its place and then moved there, so that what runs from dist/ meanwhile sees the old or the new.
// Without links in its path, which the bundler resolves: what it left behind found nothing in an installed package.
const draft = join(realpathSync(join(root, 'node_modules')), `.pullquote-build-${process.pid}`)

const inputs = buildInputs()
await buildServer(draft)
await buildEmptyDatabase(draft)
await buildSnippet(join(draft, 'snippet', 'snippet.js'))
await buildConsole(join(draft, 'console'))
await buildCli(draft)

const old = `${draft}-old`
if (existsSync(dist)) renameSync(dist, old)
renameSync(draft, dist)
rmSync(old, { recursive: true, force: true })
writeFileSync(BUILT, inputs)
