/** Helpers to wait for conditions instead of fixed times, on machines that may be slow or busy. */
import { setTimeout as pause } from 'node:timers/promises'

/** Only a broken condition takes this long, even at a load of ten times the number of processors. */
const LIMIT_SECONDS = 180

/** Polls until `probe` returns a value. @returns that value @throws after three minutes */
export async function until<T>(
  what: string,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  everyMs = 10,
): Promise<T> {
  for (const end = Date.now() + LIMIT_SECONDS * 1_000; ; await pause(everyMs)) {
    const found = await probe()
    if (found !== undefined && found !== false) return found
    if (Date.now() > end) throw new Error(`waited ${LIMIT_SECONDS} s in vain until ${what}`)
  }
}

/**
 * Retries a check of timing up to five times: a busy machine fails one try or two, slow code fails all.
 *
 * @param attempt returns what went wrong; undefined when it passed
 */
export async function passesOnSomeTry(attempt: () => Promise<string | undefined>): Promise<void> {
  const wrong: string[] = []
  while (wrong.length < 5) {
    const found = await attempt()
    if (found === undefined) return
    wrong.push(found)
  }
  throw new Error(`each of ${wrong.length} tries: ${wrong.join('; ')}`)
}
