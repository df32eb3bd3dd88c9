import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execute as run } from '@oclif/core'

/** The part of package.json that oclif reads, with places below the built command line. */
interface Described {
  oclif: { plugins?: string[]; hooks?: Record<string, string> }
}

/**
 * What bin/run.js runs: one entry, so that the build can put oclif beside the commands that share it. The commands are
 * those of the manifest that the build wrote, so that only the one that is called is loaded. What oclif's plugins do
 * (`help`, `autocomplete`) is looked for only where the first word is none of ours.
 *
 * @param packageRoot folder of package.json
 */
export async function execute(packageRoot: string): Promise<void> {
  const root = join(packageRoot, 'dist', 'cli')
  const text = readFileSync(join(packageRoot, 'package.json'), 'utf8').replaceAll('./dist/cli/', './')
  const pjson: Described & { name: string; version: string } = JSON.parse(text)
  const [first = ''] = process.argv.slice(2)
  const own = /^[a-z]+$/.test(first) && [first, `${first}.js`].some((name) => existsSync(join(root, 'commands', name)))
  if (own) {
    pjson.oclif.plugins = []
    delete pjson.oclif.hooks?.postrun
  }
  await run({ loadOptions: { root, pjson, userPlugins: false } })
}
