import * as assert from 'uvu/assert'
import { everyMinute } from '../../server/every-minute.ts'
import { suite } from '../suite.ts'

const test = suite('what is done every minute')

async function logOf(error: Error): Promise<string[]> {
  const lines: string[] = []
  const told = (level: string) => (_: object, message: string) => void lines.push(`${level}: ${message}`)
  const log = { debug: told('debug'), info: told('info'), warn: told('warn'), error: told('error') }
  const background = everyMinute(() => Promise.reject(error), log, 'it failed')
  await background.done()
  await background.stop()
  return lines
}

test('what fails is told, unless the database is away, of which others tell', async () => {
  assert.equal(await logOf(new Error('permission denied')), ['warn: it failed'])
  assert.equal(await logOf(Object.assign(new Error(), { code: 'ECONNREFUSED' })), ['debug: it failed'])
})

test('what fails because it is stopped is told to nobody', async () => {
  let fail = () => {}
  const failing = () => new Promise<void>((_, reject) => (fail = () => reject(new Error('closed'))))
  const told = () => assert.unreachable()
  const background = everyMinute(failing, { debug: told, info: told, warn: told, error: told }, 'it failed')
  const stopped = background.stop()
  fail()
  await stopped
})

test.run()
