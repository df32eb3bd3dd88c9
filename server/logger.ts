import { fstatSync, writeSync } from 'node:fs'
import pino from 'pino'
import type { LogLevel } from './config-settings.ts'
import type { Log } from './deps.ts'

const STDERR = 2

/**
 * The process's log, on standard error: JSON lines, or short ones for a person at a terminal. What is logged holds no
 * key, query text or review text; that is up to who logs.
 */
export function createLogger(level: LogLevel, stream: NodeJS.WriteStream = process.stderr): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: named } }
  if (stream.isTTY) return pino(options, { write: (line: string) => void stream.write(readable(line)) })
  if (stream !== process.stderr) return pino(options, stream)
  const found = fstatSync(STDERR)
  const isPiped = found.isFIFO() || found.isSocket()
  return pino(options, isPiped ? pino.destination({ dest: STDERR, sync: false }) : fileOf(STDERR))
}

/**
 * A file as the log, line by line: on a disk that is full pino's own would write again without end, and the server would
 * answer nobody. Lines that there was no room for are lost, and counted in the first that comes after them.
 *
 * @param fd open, and neither a pipe nor a socket
 */
export function fileOf(
  fd: number,
  write: (fd: number, line: string) => void = writeSync,
): { write(line: string): void } {
  let lost = 0
  return {
    write(line) {
      try {
        const told = lost > 0 ? line.replace(/^\{/, `{"lost_lines":${lost},`) : line
        write(fd, told)
        lost = 0
      } catch {
        lost++
      }
    },
  }
}

function named(label: string): object {
  return { level: label }
}

/** `12:30:01 info request method=GET route=/v1/query status=200 ms=4.1` */
function readable(line: string): string {
  const { level, time, msg, ...fields } = JSON.parse(line) as Record<string, unknown>
  const rest = Object.entries(fields).map(
    ([name, value]) => ` ${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`,
  )
  return `${String(time).slice(11, 19)} ${level} ${msg}${rest.join('')}\n`
}
