#!/usr/bin/env node
// Only syntax that Node 12 can parse (no top-level `await`, no `?.`, no `??=`), so that an old Node gets the message below.
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
// Only in a clone: an installed package is always built.
if (!existsSync(main)) {
  process.stderr.write('Error: this clone of Pullquote is not built yet. Run: npm ci --include=dev && npm run build\n')
  process.exit(1)
}
// With an empty HOME the data would go below the current folder.
if (process.env.HOME === '') delete process.env.HOME
// A container may run as a user id without a passwd entry. Node then throws when a library asks for its home or shell, so
// both are set; the home is what containers usually have.
try {
  userInfo()
} catch {
  process.env.HOME = process.env.HOME || '/'
  process.env.SHELL = process.env.SHELL || '/bin/sh'
}

// Since Node 22.1 compiled code can be cached between runs. The folder is the user's own, since whoever can write to it
// decides what is executed.
const { enableCompileCache } = /** @type {{ enableCompileCache?: (folder: string) => unknown }} */ (module)
if (enableCompileCache !== undefined) {
  enableCompileCache(join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'pullquote', 'compiled'))
}
// To check Node's version oclif loads a semver library of 50 files; oclif needs less than we do, checked above.
if (process.env.OCLIF_DISABLE_ENGINE_WARNING === undefined) process.env.OCLIF_DISABLE_ENGINE_WARNING = '1'
// Exit code 13, as Node uses for a top-level `await` that never settles.
const unfinished = () => {
  process.exitCode = 13
}
process.once('beforeExit', unfinished)
import(main.href)
  .then(({ execute }) => execute(join(import.meta.dirname, '..')))
  .then(() => process.removeListener('beforeExit', unfinished))
