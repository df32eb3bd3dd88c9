import type { Readable } from 'node:stream'
import type { Pool } from '../deps.ts'

/** A row's values in PostgreSQL's binary formats. */
export type BinaryRow = readonly (Buffer | null)[]

/** PostgreSQL manual, "COPY", "Binary Format": the signature, the flags, and how much else stands in the header. */
const HEADER_LENGTH_AT = 15
const HEADER = HEADER_LENGTH_AT + 4
/** In place of a number of columns: that was the last row. */
const TRAILER = -1
const NULL = -1

/**
 * Hands over the rows of a `select` in binary form: half the bytes of text, no digits to make and to read, and no array of rows.
 *
 * @param select has no parameters, which PostgreSQL does not take here
 * @param each is called within the turn in which a row arrives, and keeps nothing of it
 * @throws what `each` throws, when the other rows have gone by
 */
export async function copyRows(sql: Pool, select: string, each: (row: BinaryRow) => void): Promise<void> {
  let failure: { error: unknown } | undefined
  // In a transaction of its own: the library refuses what others send over the connection meanwhile, instead of letting it wait.
  await sql.begin('read only', async (tx) => {
    const stream: Readable = await tx.unsafe(`copy (${select}) to stdout (format binary)`).readable()
    let isFirst = true
    await new Promise<void>((resolve, reject) => {
      stream.on('data', (rows: Buffer) => {
        if (failure) return
        try {
          readRows(rows, isFirst, each)
        } catch (error) {
          // A stream that nobody reads to its end would keep the connection for ever.
          failure = { error }
        }
        isFirst = false
      })
      stream.once('end', resolve)
      stream.once('error', reject)
    }).finally(() => letGoOn(stream))
  })
  if (failure) throw failure.error
}

/**
 * postgres.js (3.4.9) stops the socket when the stream is full, and lets it go on when the stream asks for more. At its end it never
 * asks, and the connection would answer nothing from then on.
 */
function letGoOn(stream: Readable): void {
  try {
    stream._read(0)
  } catch {
    // The connection is lost, and its socket with it.
  }
}

/** What arrives is whole rows, and before the first one the header. */
function readRows(bytes: Buffer, isFirst: boolean, each: (row: BinaryRow) => void): void {
  let at = isFirst ? HEADER + bytes.readInt32BE(HEADER_LENGTH_AT) : 0
  while (at < bytes.length) {
    const columns = bytes.readInt16BE(at)
    at += 2
    if (columns === TRAILER) return
    const row: (Buffer | null)[] = []
    for (let column = 0; column < columns; column++) {
      const length = bytes.readInt32BE(at)
      at += 4
      row.push(length === NULL ? null : bytes.subarray(at, at + Math.max(0, length)))
      if (length !== NULL) at += length
    }
    each(row)
  }
}
