import * as assert from 'uvu/assert'
import { CliError } from '../../src/cli/errors/cli-error.ts'
import { parseOrigin } from '../../src/cli/projects.ts'
import { suite } from '../suite.ts'

const test = suite('origins on the command line')

test('an origin is stored as browsers send it, however it was typed', () => {
  for (const [typed, sent] of [
    ['https://www.hotel.example', 'https://www.hotel.example'],
    ['https://WWW.hotel.example/', 'https://www.hotel.example'],
    ['https://hotel.example:443', 'https://hotel.example'],
    ['http://hotel.example:80/', 'http://hotel.example'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['https://münchen.example', 'https://xn--mnchen-3ya.example'],
  ] as const)
    assert.is(parseOrigin(typed), sent)
})

test('what no browser sends as an origin is refused, with what to give instead', () => {
  for (const [typed, said, hint] of [
    ['https://hotel.example/rooms', 'is more than an origin', 'give only scheme, host and port: https://hotel.example'],
    ['https://hotel.example?', 'is more than an origin', 'give only scheme, host and port: https://hotel.example'],
    ['https://me@hotel.example', 'is more than an origin', 'give only scheme, host and port: https://hotel.example'],
    ['https://*.hotel.example', 'has a wildcard', 'give each origin by itself'],
    ['*', 'is not an origin', 'give scheme and host, for example https://www.example.com'],
    ['hotel.example', 'is not an origin', 'give scheme and host, for example https://www.example.com'],
    ['ftp://hotel.example', 'is not an origin', 'give scheme and host, for example https://www.example.com'],
  ] as const) {
    try {
      assert.unreachable(parseOrigin(typed))
    } catch (error) {
      if (!(error instanceof CliError)) throw error
      assert.equal([error.message, error.hints], [`"${typed}" ${said}`, [hint]])
    }
  }
})

test.run()
