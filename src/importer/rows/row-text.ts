import { looksTruncated } from '../fields/cut-text.ts'
import { detectDamage } from '../fields/damaged-text.ts'
import { decodeHtml, type HtmlTraces, hasHtml } from '../fields/html.ts'
import { looksDoubleEncoded, repairEncoding } from '../fields/mojibake.ts'
import { type BareText, withoutPageWords } from '../fields/page-words.ts'
import { thanksForReview } from '../fields/reply-signs.ts'
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
  readonly #isOwn: boolean
  readonly #hasFormulaGuards: boolean
  readonly #decodesHtml: boolean
  readonly #options: Reading['options']
  readonly #note: Reading['note']

  constructor({ isOwn, hasFormulaGuards, decodesHtml, options, note }: Reading) {
    this.#isOwn = isOwn
    this.#hasFormulaGuards = hasFormulaGuards
    this.#decodesHtml = decodesHtml
    this.#options = options
    this.#note = note
  }

  /** The original and the translation of a text as it is in the file. */
  open(written: string, line: number): OpenedText {
    const opened: OpenedText = this.#isOwn ? { text: written, idText: written } : splitTranslation(written)
    if (opened.text === '') return opened
    if (opened.translationOnly) this.#note('translation_only', line)
    if (looksTruncated(opened.text)) this.#note('cut_text', line)
    const damage = this.#isOwn ? undefined : detectDamage(opened.text)
    if (damage) this.#note(damage, line)
    return opened
  }

  /** The text without codes of HTML and words of the page around it; empty if nothing else is in it. */
  clean(opened: string, traces: HtmlTraces | undefined, line: number): Pick<BareText, 'text' | 'kept'> {
    const decoded = this.decode(opened)
    const { text, hadPageWords, hadReply, kept } = withoutPageWords(decoded, this.#isOwn)
    if (text === '') return { text, kept: [] }
    if (this.#decodesHtml && decoded !== opened) this.#note('html_decoded', line)
    else if (traces && hasHtml(traces) && this.#options.decode_html === undefined) this.#note('html_left', line)
    if (hadPageWords) this.#note('page_words', line)
    if (hadReply) this.#note('reply_cut', line)
    if (!this.#isOwn && thanksForReview(text)) this.#note('reply_like', line)
    return { text, kept }
  }

  /** The cell as its author wrote it. */
  decode(value: string): string {
    if (this.#isOwn) return value
    const plain = this.#hasFormulaGuards ? stripFormulaGuard(value) : value
    return this.#decodesHtml ? decodeHtml(plain) : plain
  }

  /** The value with its letters encoded once, if that is wanted. */
  repair(value: string, line: number): string {
    if (!looksDoubleEncoded(value)) return value
    this.#note(this.#options.repair_encoding ? 'repaired' : 'double_encoded', line)
    return this.#options.repair_encoding ? repairEncoding(value) : value
  }
}
