#!/usr/bin/env node
// Written in what Node 12 can read (no `await` by itself, no `?.`, no `??=`), so that it can be told that it is too old.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19) || major === 21 || (major === 22 && minor < 12)) {
  process.stderr.write(`Error: Pullquote needs Node 20.19, 22.12 or newer, and this is ${process.versions.node}.\n`)
  process.exit(1)
}
const main = new URL('../dist/cli/cli/main.js', import.meta.url)
// A clone after npm ci; what is installed as a package is built.
if (!existsSync(main)) {
  process.stderr.write('Error: this clone of Pullquote is not built yet. Run: npm ci && npm run build\n')
  process.exit(1)
}
// An empty one would put the data below the folder that a command is started in.
if (process.env.HOME === '') delete process.env.HOME
// A container may run as a user number of which passwd knows nothing. Node then throws where a library asks for its home
// or its shell, so both are told; the home as containers tell it.
try {
  userInfo()
} catch {
  process.env.HOME = process.env.HOME || '/'
  process.env.SHELL = process.env.SHELL || '/bin/sh'
}

// Node 22.1 keeps compiled code from run to run. In a folder of this user: who can write there decides what is run.
const { enableCompileCache } = /** @type {{ enableCompileCache?: (folder: string) => unknown }} */ (module)
if (enableCompileCache !== undefined) {
  enableCompileCache(join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'pullquote', 'compiled'))
}
// oclif reads a version library of 50 files to compare Node's version with what oclif needs, which is less than we need.
if (process.env.OCLIF_DISABLE_ENGINE_WARNING === undefined) process.env.OCLIF_DISABLE_ENGINE_WARNING = '1'
// Node ends with 13 where an `await` by itself never comes back.
const unfinished = () => {
  process.exitCode = 13
}
process.once('beforeExit', unfinished)
import(main.href)
  .then(({ execute }) => execute(join(import.meta.dirname, '..')))
  .then(() => process.removeListener('beforeExit', unfinished))
