import * as assert from 'uvu/assert'
import { isLoopback } from '../../src/contract/loopback.ts'
import { suite } from '../suite.ts'

const test = suite('names and addresses of this machine')

for (const host of [
  'localhost',
  'LocalHost',
  '127.0.0.1',
  '127.255.255.254',
  '127.1',
  '::1',
  '[::1]',
  '0:0:0:0:0:0:0:1',
  '::ffff:127.0.0.1',
  '[::ffff:7f00:1]',
])
  test(`${host} is this machine`, () => {
    assert.ok(isLoopback(host))
  })

for (const host of [
  '127.evil.example',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  'notlocalhost',
  '128.0.0.1',
  '0.0.0.0',
  '10.0.0.1',
  '::',
  '::2',
  '::ffff:128.0.0.1',
  '::ffff:7f00:0:1',
  'x@127.0.0.1',
  '127.0.0.1:80',
  '[::1]:80',
  '127.0.0.1/x',
  '127.0.0.256',
  ' ',
  '',
])
  test(`"${host}" is not`, () => {
    assert.not(isLoopback(host))
  })

test.run()
