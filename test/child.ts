/** Runs scripts of tests as child processes, for example to kill them. */
import { mkdtempSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { originalUrls } from '../scripts/build-server.ts'

const compiledScripts = new Map<string, Promise<string>>()

/**
 * The arguments of `node` to run the script. If test/run.ts has installed the command line, the script is bundled into one
 * file that reads the server's data files from there; otherwise it runs through tsx and takes four times as long to start.
 */
export async function childArguments(script: string): Promise<string[]> {
  const installed = process.env.PULLQUOTE_TEST_CLI
  if (!installed) return ['--import', 'tsx', script]
  const compiled = compiledScripts.get(script) ?? compile(script, join(installed, '..', '..', 'dist'))
  compiledScripts.set(script, compiled)
  return [await compiled]
}

async function compile(script: string, dist: string): Promise<string> {
  const outfile = join(mkdtempSync(join(dist, '..', 'child-')), `${basename(script, '.ts')}.js`)
  await build({
    entryPoints: [script],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'error',
    plugins: [originalUrls((path) => JSON.stringify(pathToFileURL(join(dist, 'server', path)).href))],
  })
  return outfile
}
