import { looksTruncated } from '../fields/cut-text.ts'
import { detectDamage } from '../fields/damaged-text.ts'
import { decodeHtml, type HtmlTraces, hasHtml } from '../fields/html.ts'
import { looksDoubleEncoded, repairEncoding } from '../fields/mojibake.ts'
import { type BareText, withoutPageWords } from '../fields/page-words.ts'
import { type OpenedText, splitTranslation } from '../fields/translation.ts'
import type { ImportOptions } from '../formats/mapping.ts'
import { stripFormulaGuard } from '../read/cell-escape.ts'
import type { RowNote } from './warnings.ts'

interface Reading {
  /** Our own export, whose texts are as they were stored. */
  isOwn: boolean
  /** Whether cells may begin with a quote that keeps spreadsheets from reading a formula. */
  hasFormulaGuards: boolean
  decodesHtml: boolean
  options: Pick<ImportOptions, 'decode_html' | 'repair_encoding'>
  note: (note: RowNote, line: number) => void
}

/** Makes the texts of a table's cells those that their authors wrote, and notes what it did or left. */
export class RowText {
  readonly #reading: Reading

  constructor(reading: Reading) {
    this.#reading = reading
  }

  /** The original and the translation of a text as it is in the file. */
  open(written: string, line: number): OpenedText {
    const { isOwn, note } = this.#reading
    const opened: OpenedText = isOwn ? { text: written, idText: written } : splitTranslation(written)
    if (opened.text === '') return opened
    if (opened.translationOnly) note('translation_only', line)
    if (looksTruncated(opened.text)) note('cut_text', line)
    const damage = isOwn ? undefined : detectDamage(opened.text)
    if (damage) note(damage, line)
    return opened
  }

  /** The text without codes of HTML and words of the page around it; empty if nothing else is in it. */
  clean(opened: string, traces: HtmlTraces | undefined, line: number): Pick<BareText, 'text' | 'kept'> {
    const { isOwn, decodesHtml, options, note } = this.#reading
    const decoded = this.decode(opened)
    const { text, hadPageWords, hadReply, kept } = withoutPageWords(decoded, isOwn)
    if (text === '') return { text, kept: [] }
    if (decodesHtml && decoded !== opened) note('html_decoded', line)
    else if (traces && hasHtml(traces) && options.decode_html === undefined) note('html_left', line)
    if (hadPageWords) note('page_words', line)
    if (hadReply) note('reply_cut', line)
    return { text, kept }
  }

  /** The cell as its author wrote it. */
  decode(value: string): string {
    const { isOwn, hasFormulaGuards, decodesHtml } = this.#reading
    if (isOwn) return value
    const plain = hasFormulaGuards ? stripFormulaGuard(value) : value
    return decodesHtml ? decodeHtml(plain) : plain
  }

  /** The value with its letters encoded once, if that is wanted. */
  repair(value: string, line: number): string {
    if (!looksDoubleEncoded(value)) return value
    const { options, note } = this.#reading
    note(options.repair_encoding ? 'repaired' : 'double_encoded', line)
    return options.repair_encoding ? repairEncoding(value) : value
  }
}
