/** How tests wait on a machine that may be slow, cold or busy: for what happens, and not for a time. */
import { setTimeout as pause } from 'node:timers/promises'

/** Only a broken condition takes so long, also where a machine has ten times more to do than processors. */
const LIMIT_SECONDS = 180

/**
 * Asks again and again until `probe` gives something.
 *
 * @returns what it gave
 * @throws after minutes
 */
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
 * Does again, some times, what must be over soon, or what means something only when nothing was in its way: a busy machine
 * spoils one try or two, and code that is slow spoils all.
 *
 * @param attempt gives what went wrong, or undefined
 */
export async function onSomeTry(attempt: () => Promise<string | undefined>): Promise<void> {
  const wrong: string[] = []
  while (wrong.length < 5) {
    const found = await attempt()
    if (found === undefined) return
    wrong.push(found)
  }
  throw new Error(`each of ${wrong.length} tries: ${wrong.join('; ')}`)
}
