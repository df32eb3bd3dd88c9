/** What is made of answers, and of suspicions. */
import { setTimeout as pause } from 'node:timers/promises'
import * as v from 'valibot'
import type { Answer } from './http.ts'
import type { RawSent } from './raw.ts'
import type { Known, Sent } from './requests.ts'

export type What = { raw: RawSent; sent?: never } | { sent: Sent; raw?: never }

const KEPT = 30
const LARGEST_READ = 1_000_000
const telling = v.looseObject({
  reviews: v.optional(v.array(v.looseObject({ id: v.optional(v.string()) }))),
  next_cursor: v.optional(v.nullable(v.string())),
  import_id: v.optional(v.string()),
})

/** Keeps ids and cursors of an answer for later requests. */
export function learn({ status, body }: Answer, known: Known): void {
  if (status !== 200 || body.length > LARGEST_READ) return
  let json: unknown
  try {
    json = JSON.parse(body.toString())
  } catch {
    return
  }
  const told = v.safeParse(telling, json)
  if (!told.success) return
  known.ids.push(...(told.output.reviews ?? []).flatMap(({ id }) => (id === undefined ? [] : [id])))
  if (typeof told.output.next_cursor === 'string') known.cursors.push(told.output.next_cursor)
  if (told.output.import_id !== undefined) known.imports.push(told.output.import_id)
  known.ids = known.ids.slice(-KEPT)
  known.cursors = known.cursors.slice(-KEPT)
  known.imports = known.imports.slice(-KEPT)
}

const SETTLE_MS = 20_000
const ready = v.looseObject({ queue: v.nullable(v.looseObject({ queued: v.number() })) })

/** Resolves when nothing waits for indexing any more, or after twenty seconds. */
export async function settled(url: string): Promise<void> {
  for (const until = Date.now() + SETTLE_MS; Date.now() < until; await pause(100)) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    const told = answer && v.safeParse(ready, await answer.json().catch(() => undefined))
    if (told?.success && told.output.queue?.queued === 0) return
  }
}

export interface Trial {
  perform(what: What): Promise<string | undefined>
  settled(): Promise<void>
  /** The last stall that was noticed. */
  stall(): { at: number; ms: number }
  watch(on: boolean): void
}

/** As long as a bystander's answer may take to tell of a stall. */
const TELL_MS = 400

/**
 * Sends a suspect twice, alone.
 *
 * @param serial makes its reviews new ones, so that they are indexed again
 * @returns the shorter of the two stalls in milliseconds; `undefined`: one time there was none
 */
export async function confirmed(what: What, serial: number, trial: Trial): Promise<number | undefined> {
  let least = Number.POSITIVE_INFINITY
  for (const turn of [1, 2]) {
    const since = Date.now()
    trial.watch(true)
    await trial.perform(anew(what, `replay-${serial}-${turn}-`))
    await trial.settled()
    await pause(TELL_MS)
    trial.watch(false)
    const { at, ms } = trial.stall()
    if (at < since) return undefined
    least = Math.min(least, ms)
  }
  return least
}

function anew(what: What, prefix: string): What {
  if (!what.sent?.body || !what.sent.target.startsWith('/v1/reviews')) return what
  const body = Buffer.from(
    what.sent.body.toString('latin1').replaceAll('"external_id":"', `"external_id":"${prefix}`),
    'latin1',
  )
  return { sent: { ...what.sent, body } }
}
