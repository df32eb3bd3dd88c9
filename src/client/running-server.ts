import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { localFetch } from './local-fetch.ts'

/** What a serving process writes into `server.json` in its home, so that commands on the same machine find it. */
const lockFile = v.looseObject({ pid: v.pipe(v.number(), v.integer()), url: v.string(), operatorToken: v.string() })

export interface RunningServer {
  pid: number
  url: string
  operatorToken: string
}

const PROBE_MS = 3_000

/**
 * The server that runs on `home`, or `undefined` when none does: no file, no address in it (a command holds the folder,
 * not a server), or nothing of ours answers there. The address is asked rather than the process looked up, since the
 * number may belong to another program by now, or to a container that cannot be seen from here.
 */
export async function readRunningServer(home: string): Promise<RunningServer | undefined> {
  const text = await readFile(join(home, 'server.json'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const checked = v.safeParse(v.pipe(v.string(), v.parseJson(), lockFile), text)
  if (!checked.success) return undefined
  const { pid, url, operatorToken } = checked.output
  return (await answers(url)) ? { pid, url, operatorToken } : undefined
}

async function answers(url: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PROBE_MS)
    const response = await localFetch.buffered({ method: 'GET', url: `${url}/healthz`, headers: {}, signal })
    return v.is(v.looseObject({ status: v.literal('ok') }), JSON.parse(await response.text()))
  } catch (error) {
    // A server that is too busy to answer in time is there; one that refuses the connection is not.
    return error instanceof Error && error.name === 'TimeoutError'
  }
}
