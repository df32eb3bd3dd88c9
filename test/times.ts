/** Expected durations of test files, since the longest start first. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as v from 'valibot'

export interface Time {
  label: string
  seconds: number
  /** CPU time of its process and of children that ended meanwhile. */
  processorSeconds: number
}

/**
 * Seconds of the files that take two or more, from a run with `--times` on two processors, for first runs such as CI's.
 * Only their order matters, so they need not be exact.
 */
const EXPECTED = join(import.meta.dirname, 'expected-seconds.json')
/** Recorded on this machine. */
const FILE = join(import.meta.dirname, '..', 'node_modules', '.cache', 'pullquote', 'test-times.json')
/** The duration of a file without a record is estimated from its size. */
const BYTES_A_SECOND = 4_000

/** The seconds that a file is expected to take. */
export function expectedSeconds(): (label: string, file: string) => number {
  const known = { ...read(EXPECTED), ...read(FILE) }
  return (label, file) => known[label] ?? statSync(file).size / BYTES_A_SECOND
}

export function keepTimes(times: readonly Time[]): void {
  const known = { ...read(FILE), ...Object.fromEntries(times.map(({ label, seconds }) => [label, seconds])) }
  mkdirSync(dirname(FILE), { recursive: true })
  writeFileSync(FILE, JSON.stringify(known))
}

function read(file: string): Record<string, number> {
  try {
    return v.parse(v.record(v.string(), v.number()), JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return {}
  }
}

export function printTimes(times: readonly Time[]): void {
  console.log('\nseconds  of processor  file')
  for (const { label, seconds, processorSeconds } of [...times].sort((a, b) => b.processorSeconds - a.processorSeconds))
    console.log(`${seconds.toFixed(1).padStart(7)}  ${processorSeconds.toFixed(1).padStart(12)}  ${label}`)
  const sum = (of: (time: Time) => number) => times.reduce((all, time) => all + of(time), 0)
  const used = allProcessorSeconds()
  console.log(
    `${sum((t) => t.seconds)
      .toFixed(0)
      .padStart(7)}  ${sum((t) => t.processorSeconds)
      .toFixed(0)
      .padStart(12)}  all files`,
  )
  if (used !== undefined) console.log(`${used.toFixed(0).padStart(21)}  everything, with starting and ending processes`)
}

/** CPU time of this process and all its children that have ended. */
function allProcessorSeconds(): number | undefined {
  try {
    const fields = readFileSync('/proc/self/stat', 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')
    return fields.slice(11, 15).reduce((all, ticks) => all + Number(ticks) / 100, 0)
  } catch {
    return undefined
  }
}
