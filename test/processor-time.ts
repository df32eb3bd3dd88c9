/** Measures for test/run.ts whether the machine has capacity for one more process. */
import { availableParallelism, cpus, freemem, getPriority } from 'node:os'

const EVERY_MS = 1_000
/** Share of one processor. Processes that merely wait for each other also leave less than this idle. */
const SPARE_PROCESSORS = 0.35
/** Memory of a test process with its browser or server. */
const SPARE_BYTES = 2e9

interface Reading {
  idle: number
  all: number
}

/** CPU times of all processors since boot; zeros when the system does not report them. */
function read(): Reading {
  const reading = { idle: 0, all: 0 }
  for (const { times } of cpus()) {
    // Processes of lower priority than this one yield to it.
    reading.idle += times.idle + (getPriority() <= 0 ? times.nice : 0)
    reading.all += times.user + times.nice + times.sys + times.irq + times.idle
  }
  return reading
}

/** Calls `onSpare` every second while the machine has CPU time and memory for one more process. */
export function watchForSpareTime(onSpare: () => void): void {
  let last = read()
  setInterval(() => {
    const now = read()
    const share = (now.idle - last.idle) / (now.all - last.all || 1)
    last = now
    if (share * availableParallelism() > SPARE_PROCESSORS && freemem() > SPARE_BYTES) onSpare()
  }, EVERY_MS).unref()
}
