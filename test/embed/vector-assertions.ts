import * as assert from 'uvu/assert'
import { cosineOf } from '../../server/embed/calibrate.ts'
import { madeUpVector } from './embeddings-server.ts'

export async function failure(work: Promise<unknown>): Promise<Error> {
  try {
    await work
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
  throw new Error('it did not fail')
}
export function direction(text: string): Float32Array {
  const raw = madeUpVector(text)
  const length = Math.hypot(...raw)
  return Float32Array.from([...raw.map((x) => x / length), 0])
}
export function assertVector(vector: Float32Array | undefined, text: string): void {
  const expected = direction(text)
  assert.is(vector?.length, expected.length)
  assert.ok(cosineOf(vector ?? [], expected) > 0.9995, `the vector of "${text}"`)
}
