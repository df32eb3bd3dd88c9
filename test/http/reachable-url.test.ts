import * as assert from 'uvu/assert'
import { reachableUrl } from '../../server/http/reachable-url.ts'
import { suite } from '../suite.ts'

const test = suite('the address of a server for its own machine')
const urlOf = (host: string, addresses: string[] = []) => reachableUrl(host, 8787, () => addresses)

test('is that of the host it listens on', () => {
  assert.is(urlOf('127.0.0.1'), 'http://127.0.0.1:8787')
  assert.is(urlOf('fd00::2'), 'http://[fd00::2]:8787')
})

test('is one that the machine has where it listens on all', () => {
  assert.is(urlOf('0.0.0.0'), 'http://127.0.0.1:8787')
  assert.is(urlOf('::', ['127.0.0.1', '::1']), 'http://[::1]:8787')
  // In a container without IPv6 commands did not find their server.
  assert.is(urlOf('::', ['127.0.0.1', '172.17.0.2']), 'http://127.0.0.1:8787')
})

test.run()
