import pino from 'pino'
import type { LogLevel } from './config-settings.ts'
import type { Log } from './deps.ts'

/**
 * The process's log, on standard error: JSON lines, or short ones for a person at a terminal. What is logged holds no
 * key, query text or review text; that is up to who logs.
 */
export function createLogger(level: LogLevel, stream: NodeJS.WriteStream = process.stderr): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: named } }
  if (stream.isTTY) return pino(options, { write: (line: string) => void stream.write(readable(line)) })
  return pino(options, stream === process.stderr ? pino.destination({ dest: 2, sync: false }) : stream)
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
