/** Builds the package into dist/, without checking types (`npm run typecheck`). */
import { existsSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildCli } from './build-cli.ts'
import { buildConsole } from './build-console.ts'
import { buildEmptyDatabase } from './build-empty-database.ts'
import { BUILD_STAMP, hashBuildInputs } from './build-inputs.ts'
import { buildServer } from './build-server.ts'
import { buildSnippet } from './build-snippet.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
// Built elsewhere and then renamed, so that programs running from dist/ see either the old or the new build. The path has
// no symbolic links, since the bundler resolves them, and a path it then wrote did not exist in an installed package.
const draft = join(realpathSync(join(root, 'node_modules')), `.pullquote-build-${process.pid}`)

const inputs = hashBuildInputs()
await buildServer(draft)
await buildEmptyDatabase(draft)
await buildSnippet(join(draft, 'snippet', 'snippet.js'))
await buildConsole(join(draft, 'console'))
await buildCli(draft)

const old = `${draft}-old`
if (existsSync(dist)) renameSync(dist, old)
renameSync(draft, dist)
rmSync(old, { recursive: true, force: true })
writeFileSync(BUILD_STAMP, inputs)
