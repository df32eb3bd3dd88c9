import { PassThrough } from 'node:stream'
import * as assert from 'uvu/assert'
import { startProgress } from '../../../src/cli/output/terminal.ts'
import { suite } from '../../suite.ts'

const test = suite('the terminal')

test('one without a size has no spinner, which would fill it with endless lines', async () => {
  const still = async (columns: number) => {
    const stream = Object.assign(new PassThrough(), { isTTY: true, columns })
    startProgress({ wanted: true, stream, text: 'Pushing' }).stop()
    await import('ora')
    const progress = startProgress({ wanted: true, stream, text: 'Pushing' })
    await new Promise((resolve) => setTimeout(resolve, 20))
    progress.stop()
    return stream.readableLength === 0
  }
  assert.ok(await still(0))
})

test.run()
