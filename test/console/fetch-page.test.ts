/** Pages that the console looks at for an owner, who must not look around in the server's network with it. */
import * as assert from 'uvu/assert'
import { fetchPage, isPublicAddress } from '../../server/console/fetch-page.ts'
import { listen } from '../snippet/fake-service.ts'
import { suite } from '../suite.ts'

const test = suite('pages fetched by the console')

async function refusal(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'read',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
}

test('addresses inside a network are none of an owner’s', () => {
  for (const address of [
    ...['127.0.0.1', '127.9.9.9', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254'],
    ...['0.0.0.0', '100.64.0.1', '224.0.0.1', '255.255.255.255', '198.18.0.1'],
    ...[
      '::1',
      '::',
      'fe80::1',
      'fd00::1',
      'ff02::1',
      '::ffff:127.0.0.1',
      '::ffff:a00:1',
      '64:ff9b::a00:1',
      '2002:a00:1::1',
    ],
    ...['localhost', '', '1.2.3'],
  ]) {
    assert.is(isPublicAddress(address), false, address)
  }
  for (const address of ['93.184.216.34', '8.8.8.8', '2606:2800:220:1:248:1893:25c8:1946']) {
    assert.is(isPublicAddress(address), true, address)
  }
})

test('nor are those beside the server, and on its own address only what is for everybody', () => {
  const shared = { netmask: '', mac: '', internal: false, scopeid: 0 }
  const interfaces = {
    lo: [{ ...shared, internal: true, address: '::1', family: 'IPv6' as const, cidr: '::1/128' }],
    eth0: [
      { ...shared, address: '9.9.9.9', family: 'IPv4' as const, cidr: '9.9.9.9/28' },
      { ...shared, address: '2606:2800:220:1::5', family: 'IPv6' as const, cidr: '2606:2800:220:1::5/128' },
    ],
  }
  const isPublic = (address: string, port?: string) => isPublicAddress(address, port, interfaces)
  for (const own of ['9.9.9.9', '2606:2800:220:1::5']) {
    for (const port of ['', '80', '443']) assert.is(isPublic(own, port), true, `${own} ${port}`)
    for (const port of ['8080', '9200', '22']) assert.is(isPublic(own, port), false, `${own} ${port}`)
  }
  for (const beside of ['9.9.9.1', '2606:2800:220:1::1', '2606:2800:220:1:248:1893:25c8:1946'])
    assert.is(isPublic(beside), false, beside)
  for (const far of ['9.9.9.16', '2606:2800:220:2::1', '8.8.8.8']) assert.is(isPublic(far, '8080'), true, far)
})

test('an owner is refused before a connection is made, whatever the spelling', async () => {
  let asked = 0
  const inside = await listen((_request, response) => {
    asked++
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>secret</h1>')
  })
  const { port } = new URL(inside.origin)
  try {
    for (const host of ['127.0.0.1', 'localhost', '0x7f000001', '2130706433', '127.1', '[::ffff:127.0.0.1]']) {
      assert.match(
        await refusal(fetchPage(`http://${host}:${port}/`, { anywhere: false })),
        /inside the server’s own network/,
        host,
      )
    }
    assert.is(asked, 0)
    assert.match((await fetchPage(inside.origin, { anywhere: true })).html, /secret/)
  } finally {
    await inside.close()
  }
})

test('redirects are followed a few times, and what is no page, too large or nowhere is said', async () => {
  const site = await listen((_request, response, url) => {
    if (url.pathname === '/loop') response.writeHead(302, { location: '/loop' }).end()
    else if (url.pathname === '/file') response.writeHead(302, { location: 'file:///etc/passwd' }).end()
    else if (url.pathname === '/from') response.writeHead(301, { location: '/to' }).end()
    else if (url.pathname === '/json') response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    else if (url.pathname === '/gone') response.writeHead(410, { 'content-type': 'text/html' }).end()
    else response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>Here</h1>${' '.repeat(3_000_000)}`)
  })
  const fetchOf = (path: string) => fetchPage(site.origin + path, { anywhere: true })
  try {
    const page = await fetchOf('/from')
    assert.equal([page.url, page.html.length], [`${site.origin}/to`, 2 * 1024 * 1024])
    assert.match(await refusal(fetchOf('/loop')), /redirects too many times/)
    assert.match(await refusal(fetchOf('/file')), /not the address of a page/)
    assert.match(await refusal(fetchOf('/json')), /not an HTML page/)
    assert.match(await refusal(fetchOf('/gone')), /status 410/)
  } finally {
    await site.close()
  }
  assert.match(await refusal(fetchOf('/to')), /could not be reached/)
})

test.run()
