import { createHash, hash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const checkout = join(import.meta.dirname, '..')
/** Holds what the last build was made of. Beside the packages, so that installing others forgets it. */
export const BUILT = join(checkout, 'node_modules', '.pullquote-built')
const READ = ['src', 'server', 'snippet', 'console', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json']

/** One hash of everything that the build reads, by content: a checkout changes times. About 0.1 s. */
export function buildInputs(root = checkout): string {
  const sum = createHash('sha256')
  for (const name of READ.flatMap((one) => filesIn(root, one)).sort()) {
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
