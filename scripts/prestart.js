/**
 * Before `npm start`: builds if the sources have changed since the last build. Hosting platforms remove what only a build
 * needs (`npm prune --omit=dev`) after they have built; then the last build is started, and bin/run.js says if there is none.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
if (existsSync(join(root, 'node_modules', 'tsx'))) {
  const build = ['--import', 'tsx', join(root, 'scripts', 'build-if-changed.ts')]
  process.exitCode = spawnSync(process.execPath, build, { cwd: root, stdio: 'inherit' }).status ?? 1
}
