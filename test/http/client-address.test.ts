import * as assert from 'uvu/assert'
import { clientAddress, isNetwork, trustedProxies } from '../../server/http/client-address.ts'
import { suite } from '../suite.ts'

const test = suite('whose request it is')
const none = trustedProxies([])
const some = trustedProxies(['10.0.0.0/8', '2001:db8:1::/48', '203.0.113.7'])

const call = (ip: string | undefined, forwarded?: string) => ({
  ip,
  headers: new Headers(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }),
})
const address = (proxies: typeof none, ip: string | undefined, forwarded?: string) =>
  clientAddress(call(ip, forwarded), proxies).address

test('the peer, where no proxy is trusted', () => {
  assert.is(address(none, '198.51.100.4'), '198.51.100.4')
  assert.equal(clientAddress(call('198.51.100.4'), none), { address: '198.51.100.4' })
  for (const ip of ['::ffff:198.51.100.4', '::FFFF:198.51.100.4']) assert.is(address(none, ip), '198.51.100.4')
  assert.equal(clientAddress(call('198.51.100.4', '192.0.2.1'), none), {
    address: '198.51.100.4',
    problem: 'a proxy that is not trusted',
  })
})

test('behind a proxy that is trusted, the last that is none; what stands before it may be anything', () => {
  assert.is(address(none, '127.0.0.1', '192.0.2.1'), '192.0.2.1')
  assert.is(address(none, '::1', '1.1.1.1, 192.0.2.1'), '192.0.2.1')
  assert.is(address(some, '10.1.2.3', '8.8.8.8, 192.0.2.1, 203.0.113.7, 10.9.9.9'), '192.0.2.1')
  assert.is(address(some, '2001:db8:1::5', '192.0.2.1'), '192.0.2.1')
  assert.is(address(trustedProxies(['fe80::1']), 'fe80::1%eth0', '192.0.2.1'), '192.0.2.1')
  assert.is(address(some, '10.1.2.3', '192.0.2.1:4711'), '192.0.2.1')
  assert.is(address(some, '10.1.2.3', '[2001:db8:2::1]:4711'), '2001:db8:2:0::/64')
})

test('nobody, rather than all as one, where the proxy says nothing that is an address', () => {
  for (const forwarded of [undefined, '', 'unknown', '192.0.2.1, unknown', '10.0.0.1', ', ,'])
    assert.equal(clientAddress(call('10.1.2.3', forwarded), some), { problem: 'no address' }, forwarded)
  assert.equal(clientAddress(call(undefined), none), { problem: 'no address' })
})

test('an IPv6 address is its first half, however it is written', () => {
  for (const [given, expected] of [
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0DB8:0:0:ffff:1:2:3', '2001:db8:0:0::/64'],
    ['2001:db8:a:b::', '2001:db8:a:b::/64'],
    ['2001:db8:1:2:3:4:192.0.2.1', '2001:db8:1:2::/64'],
    ['2001:db8::4:5:6:7:8', '2001:db8:0:4::/64'],
    ['2001:db8::3:4:5:192.0.2.1', '2001:db8:0:3::/64'],
    ['::ffff:1:2', '0:0:0:0::/64'],
    ['::2', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])
    assert.is(address(none, given), expected)
})

test('networks are told from what is none', () => {
  for (const good of ['10.0.0.0/8', '::/0', '192.0.2.1', '2001:db8::/32', '0.0.0.0/0', '192.0.2.1/32'])
    assert.ok(isNetwork(good), good)
  for (const bad of ['', '10.0.0.0/33', '10/8', 'host', '::1/129', '10.0.0.0/-1', '10.0.0.0/8/', '10.0.0.0/08a'])
    assert.not.ok(isNetwork(bad), bad)
})

test.run()
