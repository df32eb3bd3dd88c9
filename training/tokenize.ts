/**
 * Tokenises training data with the product's own tokenizer, so that training and inference cannot drift apart.
 *
 *   node --import tsx training/tokenize.ts columns   < rows.tsv     > tokens.tsv   every column, tabs kept
 *   node --import tsx training/tokenize.ts named     < rows.tsv     > tokens.tsv   the same, names marked `^`
 *   node --import tsx training/tokenize.ts foreign   < rows.tsv     > tokens.tsv   texts in another language than English
 *   node --import tsx training/tokenize.ts reviews P N < reviews.jsonl > tokens.tsv  every N-th review from the P-th:
 *       set, stars, business, title, then one column a sentence, each sentence as `tokens<U+0001>raw text`
 */
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Tokenizer } from '../server/embed/builtin/tokenizer.ts'
import { plain, sentences } from './sentences.ts'

const tokenizer = new Tokenizer()
const tokens = (text: string): string => tokenizer.strings(text).join(' ')
const foreign = (text: string): string => tokenizer.strings(text, false).join(' ')
/** Tokens with `^` before those written like names. */
const named = (text: string): string =>
  tokenizer
    .strings(text)
    .map((token, i) => (tokenizer.names[i] === 1 ? `^${token}` : token))
    .join(' ')
const flat = (text: string): string => text.replace(/[\t\n\u0001\s]+/g, ' ').trim()
const POLARITY: Record<string, number> = { pos: -5, neg: -1, neu: -3 }

interface Row {
  set: string
  text: string
  title?: string
  stars?: number
  polarity?: string
  biz?: string
}

function reviewLine(line: string): string | undefined {
  const row = JSON.parse(line) as Row
  const parts = sentences(plain(row.text))
    .map((raw) => [tokens(raw), flat(raw)] as const)
    .filter(([words]) => words !== '')
  if (parts.length === 0) return undefined
  const stars = row.stars || POLARITY[row.polarity ?? ''] || 0
  const head = [row.set, String(stars), flat(row.biz ?? ''), tokens(plain(row.title ?? ''))]
  return [...head, ...parts.map(([words, raw]) => `${words}\u0001${raw}`)].join('\t')
}

const [mode, part = '0', of = '1'] = process.argv.slice(2)
let n = 0
let buffer: string[] = []
async function flush(): Promise<void> {
  if (buffer.length > 0 && !process.stdout.write(`${buffer.join('\n')}\n`)) await once(process.stdout, 'drain')
  buffer = []
}
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  if (mode === 'reviews') {
    if (n++ % Number(of) !== Number(part)) continue
    const out = reviewLine(line)
    if (out !== undefined) buffer.push(out)
  } else {
    const columns = line.replaceAll('<num>', '1.5').split('\t')
    buffer.push(columns.map(mode === 'named' ? named : mode === 'foreign' ? foreign : tokens).join('\t'))
  }
  if (buffer.length > 2000) await flush()
}
await flush()
