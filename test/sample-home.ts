/** Servers with the sample hotel. Its reviews are indexed once in a run, which takes four seconds of CPU time. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { createOperator, type Operator } from '../src/client/operator.ts'
import { codeOf } from '../src/contract/code-of.ts'
import { readinessResponse } from '../src/contract/health.ts'
import { type ServeProcess, serve } from './cli/serve-process.ts'
import { copyDataFolder } from './copy-data-folder.ts'
import { until } from './waiting.ts'

export const PROJECT = 'tarnholm-lake-hotel'
const TOKEN = 'operator-token-of-this-test'
const SAMPLE = join(import.meta.dirname, '../templates/demo/reviews.json')

export interface SampleServer extends ServeProcess {
  operator: Operator
}

/** Runs a server that has {@link PROJECT}, on the paid plan, with all reviews of the sample indexed. @param home a new folder */
export async function serveSample(home: string): Promise<SampleServer> {
  copyDataFolder(join(await sampleHome(), 'data', 'data'), join(home, 'data', 'data'))
  return serveIn(home)
}

async function serveIn(home: string): Promise<SampleServer> {
  const server = await serve(home, {
    env: { PULLQUOTE_HOME: join(home, 'data'), PULLQUOTE_OPERATOR_TOKEN: TOKEN, PULLQUOTE_LOG_LEVEL: 'error' },
  })
  const operator = createOperator({ fetch: (request) => fetch(request), baseUrl: server.url, operatorToken: TOKEN })
  return { ...server, operator }
}

/** Pushes reviews with a new key, and resolves when nothing waits to be indexed. */
export async function pushAndIndex(
  { url, operator }: SampleServer,
  project: string,
  reviews: unknown[],
): Promise<void> {
  const { key } = await operator.createKey({ project, kind: 'secret', env: 'live', expires_in_seconds: 3600 })
  for (let at = 0; at < reviews.length; at += 100) {
    const response = await fetch(`${url}/v1/reviews`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(reviews.slice(at, at + 100)),
    })
    assert.is(response.status, 200, await response.text())
  }
  await until('all is indexed', async () => {
    const response = await fetch(`${url}/readyz`)
    return response.ok && v.parse(readinessResponse, await response.json()).queue?.queued === 0
  })
}

/** The folder that all in this run copy. */
async function sampleHome(): Promise<string> {
  const made = join(tmpdir(), 'sample-home')
  const begun = `${made}-begun`
  try {
    mkdirSync(begun)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    await until('another process has made the sample, or failed', () => existsSync(made) || !existsSync(begun))
    return existsSync(made) ? made : sampleHome()
  }
  try {
    const draft = mkdtempSync(`${made}-`)
    const server = await serveIn(draft)
    await server.operator.createProject({ name: PROJECT, plan: 'paid' })
    await pushAndIndex(server, PROJECT, JSON.parse(readFileSync(SAMPLE, 'utf8')))
    await server.stop()
    renameSync(draft, made)
    return made
  } catch (error) {
    // The next one tries again.
    rmSync(begun, { recursive: true })
    throw error
  }
}
