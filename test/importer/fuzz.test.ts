import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import * as assert from 'uvu/assert'
import { parseDate } from '../../src/importer/fields/date.ts'
import { repairEncoding } from '../../src/importer/fields/mojibake.ts'
import { parseRating } from '../../src/importer/fields/rating.ts'
import { ImporterError } from '../../src/importer/importer-error.ts'
import { errorsCsv } from '../../src/importer/write/errors-csv.ts'
import { random } from '../random.ts'
import { suite } from '../suite.ts'
import { prepare } from './prepared.ts'

const test = suite('readers under fuzz')

const samples = join(import.meta.dirname, '../../templates/import/samples')
const originals = readdirSync(samples).map((name) => readFileSync(join(samples, name)))
const ROUNDS = 400
/**
 * Processor time, since a busy machine made a round of 2 s take 5. Generous: most take a few milliseconds, so only a hang or
 * a blow-up gets here.
 */
const SLOWEST_MS = 5_000

const processorMs = () => process.cpuUsage().user / 1_000

/** Prepares and writes errors.csv; the importer's own refusals are fine, anything else is not. */
async function survives(bytes: Uint8Array, seed: number): Promise<void> {
  const started = processorMs()
  try {
    const prepared = await prepare(bytes)
    for (const piece of errorsCsv(prepared)) assert.type(piece, 'string')
    for (const { review } of prepared.rows) assert.ok(review.text.length > 0 && review.text.isWellFormed())
  } catch (error) {
    if (!(error instanceof ImporterError)) throw new Error(`seed ${seed}: ${String(error)}`, { cause: error })
  }
  assert.ok(processorMs() - started < SLOWEST_MS, `seed ${seed} took too long`)
}

function mutated(original: Uint8Array, next: () => number): Uint8Array {
  let bytes = Uint8Array.from(original)
  const at = () => Math.floor(next() * bytes.length)
  for (let change = 0; change < 1 + next() * 6; change++) {
    const kind = Math.floor(next() * 6)
    if (kind === 0) bytes[at()] = Math.floor(next() * 256)
    else if (kind === 1) bytes = bytes.slice(0, at())
    else if (kind === 2) bytes.set([0x22], at())
    else if (kind === 3) bytes = bytes.slice(at())
    else if (kind === 4) bytes.copyWithin(at(), at(), at())
    else bytes.set([[0x0a], [0x2c], [0x7b], [0x5d], [0x00], [0xff]][Math.floor(next() * 6)] ?? [0], at())
    if (bytes.length === 0) break
  }
  return bytes
}

test('random bytes', async () => {
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const next = random(seed)
    await survives(
      Uint8Array.from({ length: Math.floor(next() * 2_000) }, () => Math.floor(next() * 256)),
      seed,
    )
  }
})

test('random text of the characters that formats are made of', async () => {
  const pieces = [
    ...',;\t|"\n\r{}[]:\\\'= ',
    'date',
    'text',
    'rating',
    '2026-01-05',
    '5',
    'é',
    '🍵',
    '\u0000',
    'null',
    'reviews',
    '{"a":1}',
    'Review Content',
  ]
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const next = random(seed)
    const text = Array.from(
      { length: Math.floor(next() * 300) },
      () => pieces[Math.floor(next() * pieces.length)],
    ).join('')
    await survives(Buffer.from(text), seed)
    await survives(Buffer.from(`date,text,rating\n${text}`), seed)
  }
})

test('mutated samples', async () => {
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const next = random(seed)
    const original = originals[seed % originals.length]
    if (original) await survives(mutated(original, next), seed)
  }
})

test('mutated archives', async () => {
  const zip = zipSync({
    'a/reviews.json': originals[0] ?? strToU8('[]'),
    'b/reviews-2.json': strToU8('{"reviews":[]}'),
  })
  for (let seed = 1; seed <= ROUNDS; seed++) await survives(mutated(zip, random(seed)), seed)
})

test('long runs of each character that a pattern might stumble over', async () => {
  for (const piece of [
    '"',
    ',',
    '\n',
    '\r',
    '{',
    '[',
    '{"a":',
    '[[',
    '★',
    '(',
    ' ',
    '0',
    '1.',
    'Ã',
    'Ã©',
    "'",
    'a,',
    '"\n',
    '=',
    '\ufeff',
    '-',
    '/',
  ]) {
    await survives(Buffer.from(piece.repeat(8_000)), 0)
    await survives(Buffer.from(`date,text,rating\n2026-01-05,${piece.repeat(8_000)},5\n`), 0)
    const started = processorMs()
    parseDate(piece.repeat(8_000))
    parseRating(piece.repeat(8_000))
    repairEncoding(piece.repeat(8_000))
    assert.ok(processorMs() - started < SLOWEST_MS, piece)
  }
})

test.run()
