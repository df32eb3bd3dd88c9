/** How busy the machine is, for test/run.ts: whether one process more would find a processor free. */
import { availableParallelism, cpus, freemem, getPriority } from 'node:os'

const EVERY_MS = 1_000
/** Of one processor. Less is left over also by processes that only wait for each other. */
const SPARE_PROCESSORS = 0.35
/** What a process of tests takes with its browser or server. */
const SPARE_BYTES = 2e9

interface Reading {
  idle: number
  all: number
}

/** The time of all processors since the machine started; nothing where the system does not tell it. */
function read(): Reading {
  const reading = { idle: 0, all: 0 }
  for (const { times } of cpus()) {
    // Processes of a lower priority than this one's give way.
    reading.idle += times.idle + (getPriority() <= 0 ? times.nice : 0)
    reading.all += times.user + times.nice + times.sys + times.irq + times.idle
  }
  return reading
}

/** Calls `onSpare` again and again while the machine has processor time and memory for one process more. */
export function watchForSpareTime(onSpare: () => void): void {
  let last = read()
  setInterval(() => {
    const now = read()
    const share = (now.idle - last.idle) / (now.all - last.all || 1)
    last = now
    if (share * availableParallelism() > SPARE_PROCESSORS && freemem() > SPARE_BYTES) onSpare()
  }, EVERY_MS).unref()
}
