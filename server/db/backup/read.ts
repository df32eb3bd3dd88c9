import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { codeOf } from '../../../src/contract/code-of.ts'
import { BadBackup, type Header, type Line, parseLine } from './format.ts'

export interface CheckedBackup {
  header: Header
  rows: Record<string, number>
}

/** Reads the whole file once to verify that it is complete and intact. @throws {BadBackup} */
export async function checkBackup(path: string): Promise<CheckedBackup> {
  const checksum = createHash('sha256')
  const counted: Record<string, number> = {}
  let header: Header | undefined
  let table: string | undefined
  let end: Extract<Line, { end: true }> | undefined
  for await (const { text, line } of linesOf(path)) {
    if (end) throw new BadBackup('The backup goes on after its end.')
    if ('end' in line) end = line
    else checksum.update(`${text}\n`)
    if ('format' in line) header = line
    else if ('table' in line) {
      table = line.table
      counted[table] = 0
    } else if ('rows' in line && !('end' in line) && table !== undefined) {
      counted[table] = (counted[table] ?? 0) + line.rows.length
    }
  }
  if (!header) throw new BadBackup('The file is no Pullquote backup.')
  if (!end) throw new BadBackup('The backup is not complete: its end is missing. Use another one.')
  if (end.sha256 !== checksum.digest('hex')) throw new BadBackup('The backup is damaged: its checksum differs.')
  for (const [name, count] of Object.entries(end.rows)) {
    if (counted[name] !== count) throw new BadBackup(`The backup is damaged: rows of ${name} are missing.`)
  }
  return { header, rows: end.rows }
}

/** The lines of a backup, one in memory at a time. @throws {BadBackup} */
export async function* linesOf(path: string): AsyncGenerator<{ text: string; line: Line }> {
  let number = 0
  try {
    for await (const text of textLines(path)) yield { text, line: parseLine(text, ++number) }
  } catch (error) {
    throw explained(error)
  }
  if (number === 0) throw new BadBackup('The file is no Pullquote backup.')
}

/** Several times the longest line of a backup, and half of what a string may hold. */
const MOST_LINE = 2 ** 28

/**
 * Does not use `node:readline`, which re-emits an input error on itself even when the reader has stopped at a bad line, and
 * that ends the process.
 */
async function* textLines(path: string): AsyncGenerator<string> {
  const file = createReadStream(path)
  const gunzip = createGunzip()
  // `pipe` does not forward errors.
  file.on('error', (error) => gunzip.destroy(error))
  let begun = ''
  try {
    for await (const piece of file.pipe(gunzip).setEncoding('utf8')) {
      const [first = '', ...others] = String(piece).split('\n')
      begun += first
      if (begun.length > MOST_LINE) throw new BadBackup('The file is no Pullquote backup: it has a line without end.')
      for (const other of others) {
        yield begun
        begun = other
      }
    }
    if (begun !== '') yield begun
  } finally {
    file.destroy()
  }
}

function explained(failure: unknown): unknown {
  const code = codeOf(failure) ?? ''
  if (code === 'Z_BUF_ERROR') return new BadBackup('The backup is not complete: the file ends early. Use another one.')
  if (code.startsWith('Z_')) return new BadBackup('The file is no Pullquote backup, or it is damaged.')
  return failure
}
