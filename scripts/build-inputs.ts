import { createHash, hash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const checkout = join(import.meta.dirname, '..')
/** Has the hash of the last build's inputs. In node_modules, so that reinstalling packages removes it. */
export const BUILD_STAMP = join(checkout, 'node_modules', '.pullquote-built')
const INPUTS = ['src', 'server', 'snippet', 'console', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json']

/** A hash of all files that the build reads, by content, since a checkout changes mtimes. Takes about 0.1 s. */
export function hashBuildInputs(root = checkout): string {
  const sum = createHash('sha256')
  for (const name of INPUTS.flatMap((one) => filesIn(root, one)).sort()) {
    sum.update(`${name}\0${hash('sha256', readFileSync(join(root, name)), 'hex')}`)
  }
  return sum.digest('hex')
}

function filesIn(root: string, name: string): string[] {
  const found = statSync(join(root, name), { throwIfNoEntry: false })
  if (!found) return []
  if (found.isFile()) return [name]
  const entries = readdirSync(join(root, name), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
}
