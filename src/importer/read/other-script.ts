/** So long a run of letters beyond ASCII, of so many different ones, is a word of a script without Latin letters. */
const LONG_RUN = 6
const RUN = 4
const DIFFERENT = 3
/** Letters beyond ASCII stand alone or in pairs in Western languages; signs are repeated, but alike. */
const ENOUGH_RUNS = 2

/**
 * Whether bytes that are no UTF-8 are text of another script than Latin: Cyrillic, Greek, Hebrew, Arabic, Japanese,
 * Chinese, Korean … in one of the encodings from before Unicode, as spreadsheets in those countries still write them.
 * Read as Windows-1252 they would be nonsense that looks like letters.
 */
export function looksLikeOtherScript(bytes: Uint8Array): boolean {
  let runs = 0
  let start = 0
  for (let at = 0; at <= bytes.length; at++) {
    if ((bytes[at] ?? 0) >= 0x80) continue
    const length = at - start
    if (length >= RUN) {
      const different = new Set(bytes.subarray(start, Math.min(at, start + 64))).size
      if (length >= LONG_RUN && different > DIFFERENT) return true
      if (different >= DIFFERENT && ++runs >= ENOUGH_RUNS) return true
    }
    start = at + 1
  }
  return false
}
