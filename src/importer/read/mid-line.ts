/** Of the end of a file, what `endsMidLine` needs. */
export const TAIL_BYTES = 22

/** What text of any kind ends with when it is complete: a line break, or the last bracket of JSON or XML. */
const ENDINGS: ReadonlySet<number> = new Set(Buffer.from('\n\r]}>'))

/**
 * Whether a file ends as a copy does that is under way or was interrupted. So do tables from programs that write no line
 * break after the last row.
 *
 * @param tail its last bytes
 */
export function endsMidLine(tail: Uint8Array): boolean {
  const bytes = Buffer.from(tail)
  // UTF-16 has a zero beside each of them.
  const last = bytes.at(-1) === 0 ? bytes.at(-2) : bytes.at(-1)
  // A zip ends with its directory.
  return !ENDINGS.has(last ?? 0) && bytes.indexOf('PK\x05\x06') === -1
}

/** Copies are made in blocks: of bytes that are no multiple of this, an interrupted one hardly ever leaves a file. */
const BLOCK_BYTES = 512

/** Whether a table is probably what an interrupted copy, or one onto a full disk, has left. */
export function isCutOff(bytes: Uint8Array): boolean {
  return bytes.byteLength % BLOCK_BYTES === 0 && endsMidLine(bytes.subarray(-TAIL_BYTES))
}

/** What is said of such a file, after its name. */
export const CUT_OFF =
  ' ends in the middle of a line, at a size at which interrupted copies end: its last review may be cut short and others missing; if so, import the whole file'
