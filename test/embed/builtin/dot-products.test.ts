import * as assert from 'uvu/assert'
import { seeded } from '../../../bench/corpus.ts'
import { dotProducts } from '../../../server/embed/builtin/dot-products.ts'
import { suite } from '../../suite.ts'

const test = suite('dot products side by side')
const DIMENSIONS = 259
const random = seeded(3)
const vector = () => Float64Array.from({ length: DIMENSIONS }, () => random() - 0.5)

test('are to the bit what each one is by itself, however many there are', () => {
  for (let count = 0; count <= 9; count++) {
    const vectors = Array.from({ length: count }, (_, i) => (i === 2 ? undefined : vector()))
    const products = dotProducts(vectors, DIMENSIONS)
    for (let round = 0; round < 5; round++) {
      const other = Float32Array.from(vector())
      const found = products(other)
      for (const [i, each] of vectors.entries()) {
        let sum = 0
        for (let d = 0; d < DIMENSIONS; d++) sum += (other[d] ?? 0) * (each?.[d] ?? 0)
        assert.is(found[i], sum)
      }
    }
  }
})

test.run()
