/** Builds if an input of the build has changed since the last one: for `npm start`, `npm run demo` and `npm pack`. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BUILD_STAMP, hashBuildInputs } from './build-inputs.ts'

const root = join(import.meta.dirname, '..')
const isBuilt =
  existsSync(join(root, 'dist')) && existsSync(BUILD_STAMP) && readFileSync(BUILD_STAMP, 'utf8') === hashBuildInputs()
if (isBuilt) console.log('Nothing has changed since the last build.')
else {
  console.log('Building, which is done again only when the sources change …')
  execFileSync(process.execPath, ['--import', 'tsx', join(root, 'scripts', 'build.ts')], {
    cwd: root,
    stdio: 'inherit',
  })
}
