import { fstatSync, writeSync } from 'node:fs'
import pino from 'pino'
import { codeOf } from '../src/contract/code-of.ts'
import type { LogLevel } from './config-settings.ts'
import type { Log } from './deps.ts'

const STDERR = 2
/** Characters buffered for a slow reader of a pipe: tens of thousands of lines. */
const MOST_WAITING = 8_000_000
/** Delay before writing to a full pipe again. */
const FULL_MS = 20
/** How long a slow reader may delay the end of the process. */
const LAST_LINES_MS = 1_000
/** What a terminal obeys, or shows in another order. JSON escapes only what is below U+0020. */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/**
 * The process's log, on standard error: JSON lines, or short ones on a terminal. Callers must not log a key, query text or
 * review text.
 */
export function createLogger(level: LogLevel, stream: NodeJS.WriteStream = process.stderr): Log {
  const hooks = { streamWrite: (line: string) => `${visible(line.trimEnd())}\n` }
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: named }, hooks }
  if (stream.isTTY) return pino(options, { write: (line: string) => void stream.write(readable(line)) })
  if (stream !== process.stderr) return pino(options, stream)
  if (!isPipe(STDERR)) return pino(options, fileDestination(STDERR))
  ofProcess ??= endingWithProcess(pipeDestination(STDERR))
  return pino(options, ofProcess)
}

/** One for all loggers: a command that waits for the database makes one at each try. */
let ofProcess: ReturnType<typeof pipeDestination> | undefined

function isPipe(fd: number): boolean {
  try {
    const found = fstatSync(fd)
    return found.isFIFO() || found.isSocket()
  } catch {
    // A service of Windows has no standard error. Lines are lost, instead of the server.
    return false
  }
}

function endingWithProcess(pipe: ReturnType<typeof pipeDestination>) {
  process.once('exit', () => pipe.end())
  return pipe
}

type WriteSync = (fd: number, bytes: Buffer) => number

/**
 * Logs to a file, line by line: on a full disk pino's own destination would retry forever and block the server. Lines that do
 * not fit are lost, and counted in the first one that follows.
 * @param fd open, and neither a pipe nor a socket
 */
export function fileDestination(fd: number, write: WriteSync = writeSync): { write(line: string): void } {
  let lost = 0
  let isCut = false
  return {
    write(line) {
      const bytes = Buffer.from((isCut ? '\n' : '') + counting(lost, line))
      try {
        isCut = write(fd, bytes) < bytes.length
        lost = isCut ? lost + 1 : 0
      } catch {
        lost++
      }
    },
  }
}

/**
 * Logs to a pipe or a socket. The reader may be slow: lines are buffered, up to {@link MOST_WAITING} characters, and those
 * beyond are lost and counted. Without any reader the process still ends, where pino's own destination retried forever. A
 * closed pipe is not an error.
 * @param fd open and non-blocking, as Node makes standard error
 */
export function pipeDestination(fd: number, write: WriteSync = writeSync): { write(line: string): void; end(): void } {
  let waiting: string[] = []
  let length = 0
  let rest: Buffer = Buffer.alloc(0)
  let lost = 0
  let later: NodeJS.Timeout | undefined

  /** @returns whether everything is written */
  function flush(): boolean {
    later = undefined
    try {
      while (rest.length > 0 || waiting.length > 0) {
        if (rest.length === 0) {
          rest = Buffer.from(waiting.join(''))
          waiting = []
          length = 0
        }
        rest = rest.subarray(write(fd, rest))
      }
      return true
    } catch (error) {
      if (codeOf(error) === 'EAGAIN') return false
      // The reader has gone.
      rest = Buffer.alloc(0)
      waiting = []
      length = 0
      return true
    }
  }
  const flushSoon = () => {
    later ??= setTimeout(() => flush() || flushSoon(), FULL_MS).unref()
  }

  return {
    write(line) {
      if (length > MOST_WAITING) {
        lost++
        return
      }
      waiting.push(counting(lost, line))
      length += line.length
      lost = 0
      if (later === undefined && !flush()) flushSoon()
    },
    end() {
      const until = performance.now() + LAST_LINES_MS
      const sleeping = new Int32Array(new SharedArrayBuffer(4))
      while (!flush() && performance.now() < until) Atomics.wait(sleeping, 0, 0, FULL_MS)
    },
  }
}

const counting = (lost: number, line: string) => (lost > 0 ? line.replace(/^\{/, `{"lost_lines":${lost},`) : line)

function named(label: string): object {
  return { level: label }
}

/** `12:30:01 info request method=GET route=/v1/query status=200 ms=4.1` */
function readable(line: string): string {
  const { level, time, msg, ...fields } = JSON.parse(line) as Record<string, unknown>
  const rest = Object.entries(fields).map(
    ([name, value]) => ` ${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`,
  )
  return `${visible(`${String(time).slice(11, 19)} ${level} ${msg}${rest.join('')}`)}\n`
}

/** A line with control characters and direction overrides escaped: messages may quote other services and files. */
function visible(line: string): string {
  return line.replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
