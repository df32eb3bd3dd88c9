/** Scripts of tests that run as processes of their own, to be killed for instance. */
import { mkdtempSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { originalUrls } from '../scripts/build-server.ts'

const made = new Map<string, Promise<string>>()

/**
 * What `node` is called with to run the script. Where test/run.ts has installed the command line, that is JavaScript in
 * one file, which reads from there what the server reads beside its code; else the script itself, which takes four times as long to begin.
 */
export async function childArguments(script: string): Promise<string[]> {
  const installed = process.env.PULLQUOTE_TEST_CLI
  if (!installed) return ['--import', 'tsx', script]
  const compiled = made.get(script) ?? compile(script, join(installed, '..', '..', 'dist'))
  made.set(script, compiled)
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
