import { Languages } from '../../server/embed/builtin/languages.ts'
import { Model } from '../../server/embed/builtin/model.ts'
import { type ModelFile, readModelFile } from '../../server/embed/builtin/model-file.ts'
import { calibrate, calibrationFor } from '../../server/embed/calibrate.ts'
import type { Embedder } from '../../server/embed/embedder.ts'
import { FLOOR } from './golden-measure.ts'

/** A model file's changes, or what is done to a text before it is embedded. */
export interface Damage {
  file?(file: ModelFile): Partial<ModelFile>
  text?(text: string): string
}

const shipped = readModelFile(new URL('../../server/embed/builtin/embedding.bin', import.meta.url))
const languages = new Languages(new URL('../../server/embed/builtin/languages.bin', import.meta.url))

/** The shipped model with something broken. */
export function damaged({ file, text }: Damage): Pick<Embedder, 'embed'> {
  const broken = { ...shipped, ...file?.(shipped) }
  const model = new Model(broken, languages)
  const k = calibrationFor(broken.threshold, FLOOR)
  return {
    async embed(texts, kind) {
      return texts.map((one) => calibrate(model.encode(text ? text(one) : one, kind), k, kind))
    },
  }
}

/** Each word's and phrase's row, with every `nth` replaced by that of another one. */
function swapped(file: ModelFile, nth: number): Partial<ModelFile> {
  const rows = file.rows.slice()
  const scales = file.scales.slice()
  const count = scales.length
  for (let i = 0; i < count; i += nth) {
    const other = (i * 7919 + 4001) % count
    rows.set(file.rows.subarray(other * file.dimensions, (other + 1) * file.dimensions), i * file.dimensions)
    scales[i] = file.scales[other] ?? 0
  }
  return { rows, scales }
}

const none = (values: Float64Array, value: number) => values.map(() => value)

/** Ways in which the model, its calibration or its tokenizer could get worse without an error. */
export const DAMAGES: Record<string, Damage> = {
  'the weights of words in queries lost': { file: (file) => ({ gains: none(file.gains, 1) }) },
  'the vectors of a fifth of the words swapped': { file: (file) => swapped(file, 5) },
  'only the signs of the vectors kept': { file: (file) => ({ rows: file.rows.map((x) => Math.sign(x) * 60) }) },
  'half of the dimensions lost': {
    file: (file) => ({ rows: file.rows.map((x, i) => (i % file.dimensions < file.dimensions / 2 ? x : 0)) }),
  },
  'the scales of the rows lost': { file: (file) => ({ scales: none(file.scales, 0.01) }) },
  'no calibration': { file: () => ({ threshold: FLOOR }) },
  'a floor that is too low': { file: (file) => ({ threshold: file.threshold - 0.07 }) },
  'a floor that is too high': { file: (file) => ({ threshold: file.threshold + 0.07 }) },
  'no doubt': {
    file: (file) => ({
      doubts: { query: none(file.doubts.query, 0), document: none(file.doubts.document, 0) },
      baseDoubt: { query: 0, document: 0 },
      unknownDoubt: { query: 0, document: 0 },
    }),
  },
  'no phrases and negated words': { file: () => ({ phrases: new Uint16Array(0) }) },
  'negation not heard': { text: (text) => text.replace(/\bnot\b ?/g, '').replace(/n't\b/g, '') },
  '"n\'t" not heard': { text: (text) => text.replace(/n't\b/g, '') },
  'names not told from words': { text: (text) => text.toLowerCase() },
  'capitalised words not known': { text: (text) => text.replace(/\b[A-Z](?=[a-z])/g, 'q') },
  'misspellings not mended': { text: (text) => text.replace(/brekfast|bred|swiming|pol\b/g, (word) => `q${word}`) },
}
