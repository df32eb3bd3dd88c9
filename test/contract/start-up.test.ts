import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'

const test = suite('the contract as it is loaded')

test('formats no number, which would take every command eight milliseconds of its start', async () => {
  const { toLocaleString: format } = Number.prototype
  let formatted = 0
  Number.prototype.toLocaleString = function counted(this: number, ...given: Parameters<typeof format>) {
    formatted++
    return Reflect.apply(format, this, given)
  }
  const folder = join(import.meta.dirname, '..', '..', 'src', 'contract')
  for (const file of await readdir(folder)) if (file.endsWith('.ts')) await import(join(folder, file))
  assert.is(formatted, 0)
})

test.run()
