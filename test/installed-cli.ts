import { execFileSync } from 'node:child_process'
import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/**
 * Lays the command line out in `folder` as npm installs it. `dist` is built first where the sources are not those of
 * the last build, so that what is tested is always what they say, here and where tests read `dist` themselves; it is
 * copied, so that the sources may change and be built while the tests run.
 *
 * @returns its entry, bin/run.js
 */
export function installCli(folder: string): string {
  const build = ['--import', 'tsx', join(root, 'scripts', 'build-if-changed.ts')]
  execFileSync(process.execPath, build, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  for (const name of ['package.json', join('bin', 'run.js')]) cpSync(join(root, name), join(folder, name))
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true })
  for (const name of ['node_modules', 'templates', 'docs'])
    symlinkSync(join(root, name), join(folder, name), 'junction')
  return join(folder, 'bin', 'run.js')
}
