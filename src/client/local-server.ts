import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { healthResponse } from '../contract/health.ts'
import { SERVER_FILE, serverFile } from '../contract/server-file.ts'
import { localFetch } from './local-fetch.ts'

// What stands there of a server; of a command, which holds the folder too, no more than its number.
const localServer = v.required(v.pick(serverFile, ['pid', 'url', 'operatorToken']))
export type LocalServer = v.InferOutput<typeof localServer>

const PROBE_MS = 3_000

/**
 * The server that runs on `home`, or `undefined` when none does: no file, no address in it (a command holds the folder,
 * not a server), or nothing of ours answers there. The address is asked rather than the process looked up, since the
 * number may belong to another program by now, or to a container that cannot be seen from here.
 */
export async function findLocalServer(home: string): Promise<LocalServer | undefined> {
  const text = await readFile(join(home, SERVER_FILE), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const checked = v.safeParse(v.pipe(v.string(), v.parseJson(), localServer), text)
  if (!checked.success) return undefined
  return (await answers(checked.output.url)) ? checked.output : undefined
}

async function answers(url: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PROBE_MS)
    const response = await localFetch.buffered({ method: 'GET', url: `${url}/healthz`, headers: {}, signal })
    return v.is(healthResponse, JSON.parse(await response.text()))
  } catch (error) {
    // A server that is too busy to answer in time is there; one that refuses the connection is not.
    return error instanceof Error && error.name === 'TimeoutError'
  }
}
