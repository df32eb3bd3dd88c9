import { highBytes, latin1AsWindows1252 } from '../read/encodings/legacy-encodings.ts'
import { redecode, repairCodePage } from './mojibake-pages.ts'

// UTF-8 text that was decoded as Windows-1252 (or Latin-1) and saved as UTF-8 again: `âœ¨` for `✨`.
const inClass = (characters: string[]) => characters.map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
const charactersFor = (from: number, to: number) =>
  inClass([...highBytes].filter(([, byte]) => byte >= from && byte <= to).map(([character]) => character)).join('')

const tail = `[${charactersFor(0x80, 0xbf)}]`
const TWO = `[${charactersFor(0xc2, 0xdf)}]${tail}`
const THREE = `[${charactersFor(0xe0, 0xef)}]${tail}{2}`
const FOUR = `[${charactersFor(0xf0, 0xf4)}]${tail}{3}`
const SEQUENCE = new RegExp(`${FOUR}|${THREE}|${TWO}`)
const SEQUENCES = new RegExp(`(?:${FOUR}|${THREE}|${TWO})+`, 'g')
// A single pair is often intended, such as "Â»" in an upper-case headline; three bytes in a row never are.
const CERTAIN = new RegExp(`${FOUR}|${THREE}|(?:${TWO}[^]*?){2}|[\\u00c2\\u00c3]${tail}(?=[a-z\\s.,!]|$)`)

/** Windows-1252 that was read as Latin-1: its dashes, quotes and ellipses became control characters, which nobody sees. */
const UNSEEN = /[\u0080-\u009f]/
/** Not its letters, since the text may have been another encoding, with other letters there. */
const UNSEEN_SIGNS = /[\u0080\u0082\u0084\u0085\u008b\u0091-\u0097\u0099\u009b]/g

const NON_ASCII = /[^\u0000-\u007f]/
const strict = new TextDecoder('utf-8', { fatal: true })

/** Whether a text looks double-encoded; used for warnings only. */
export function looksDoubleEncoded(text: string): boolean {
  if (!NON_ASCII.test(text)) return false
  return (SEQUENCE.test(text) && CERTAIN.test(text)) || repairCodePage(text) !== undefined || UNSEEN.test(text)
}

/**
 * Undoes double encoding, also repeated, where the bytes prove it, makes signs visible that were read as control characters,
 * and leaves everything else unchanged.
 */
export function repairEncoding(text: string): string {
  let repaired = text
  for (let round = 0; round < 3 && NON_ASCII.test(repaired); round++) {
    const other = redecode(repaired, highBytes) === undefined ? repairCodePage(repaired) : undefined
    repaired = other ?? repaired.replace(SEQUENCES, decodeRun)
  }
  return repaired.replace(UNSEEN_SIGNS, latin1AsWindows1252)
}

function decodeRun(run: string): string {
  const bytes = Uint8Array.from(run, (character) => highBytes.get(character) ?? 0)
  try {
    return strict.decode(bytes)
  } catch {
    return run
  }
}
