import { execFileSync } from 'node:child_process'
import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/**
 * Installs the command line in `folder` as npm would. Builds `dist` first if the sources have changed, so that tests never
 * run an outdated build, and copies it, so that the sources can change and be built while tests run.
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
