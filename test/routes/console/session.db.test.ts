/** Who gets into the console, and who does not. */
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { buildConsole } from '../../../scripts/build-console.ts'
import { readConsolePage } from '../../../server/console/page.ts'
import { consoleLinksResponse, createdConsoleLink } from '../../../src/contract/console-link.ts'
import { assertRefusal } from '../../http/answers.ts'
import { openService, type TestService } from '../../http/service.ts'
import { openTransport, type Transport } from '../../http/transport.ts'
import { suite } from '../../suite.ts'
import { enterBy, newLink, operatorCall, signIn } from './signed-in.ts'

const test = suite('signing in to the console')
let service: TestService
let transport: Transport

test.before(async () => {
  // The server reads the built page, which a fresh checkout has not.
  if (!readConsolePage()) await buildConsole()
  service = await openService({ console: { access: 'everyone' } })
  transport = await openTransport('socket', service.deps)
})
test.after(async () => {
  await transport.close()
  await service.close()
})

test('a link of the operator signs in once, with a cookie that no script reads and no other site sends', async () => {
  const { secret } = await newLink(transport)
  const first = await enterBy(transport, secret)
  assert.is(first.status, 200)
  const cookie = first.headers.get('set-cookie') ?? ''
  assert.match(
    cookie,
    /^pullquote-console-[0-9a-f]{8}=[\w-]{43}; Path=\/console; Max-Age=43200; HttpOnly; SameSite=Strict$/,
  )
  await assertRefusal(await enterBy(transport, secret), 'unauthorized', 'used twice')
  const secure = await enterBy(transport, (await newLink(transport)).secret, {
    origin: transport.url.replace('http:', 'https:'),
  })
  assert.match(secure.headers.get('set-cookie') ?? '', /; Secure$/)
})

test('of two that use one link at once, one is let in', async () => {
  const { secret } = await newLink(transport)
  const answers = await Promise.all(Array.from({ length: 8 }, () => enterBy(transport, secret)))
  assert.equal(answers.map(({ status }) => status).sort(), [200, 401, 401, 401, 401, 401, 401, 401])
})

test('what is no link does not sign in', async () => {
  for (const secret of ['', 'x', 'A'.repeat(43), "' or true --"]) {
    await assertRefusal(await enterBy(transport, secret), 'unauthorized', secret)
  }
  const { id, secret } = await newLink(transport)
  await service.database.sql`update console_links set expires_at = now() where id = ${id}`
  await assertRefusal(await enterBy(transport, secret), 'unauthorized', 'over')
})

test('cookie and token are good together only: a program on another port of the host gets the cookie', async () => {
  const one = await signIn(transport)
  const other = await signIn(transport)
  assert.is((await one.send('GET', 'session')).status, 200)
  for (const headers of [
    { 'x-pullquote-console': '' },
    { 'x-pullquote-console': 'A'.repeat(43) },
    { 'x-pullquote-console': other.token },
    { cookie: '' },
    { cookie: other.cookie },
    { cookie: `${one.cookie}x` },
  ]) {
    await assertRefusal(await one.send('GET', 'session', undefined, headers), 'unauthorized', JSON.stringify(headers))
  }
  const operator = `Bearer ${service.deps.operatorToken}`
  const byToken = { cookie: '', 'x-pullquote-console': '', authorization: operator }
  await assertRefusal(await one.send('GET', 'session', undefined, byToken), 'unauthorized', 'the operator token')
})

test('a cookie that another port of the host sets beside it signs nobody out, and nobody in', async () => {
  const one = await signIn(transport)
  const [name] = one.cookie.split('=')
  const tossed = (await signIn(transport)).cookie
  for (const others of ['=', `${name}=`, `${name}=${'A'.repeat(43)}`, `${name}=nonsense; ${name}`, tossed]) {
    const cookie = `${others}; ${one.cookie}`
    assert.is((await one.send('GET', 'session', undefined, { cookie })).status, 200, cookie)
  }
  await assertRefusal(await one.send('GET', 'session', undefined, { cookie: tossed }), 'unauthorized', 'alone')
})

test('requests of other pages are refused, those of another port of the same host as well', async () => {
  const { port } = new URL(transport.url)
  const visitor = await signIn(transport)
  const { secret } = await newLink(transport)
  for (const headers of [
    { origin: 'https://attacker.example' },
    { origin: `http://127.0.0.1:${Number(port) + 1}` },
    { origin: 'http://127.0.0.1' },
    { origin: `http://localhost:${port}` },
    { origin: 'null' },
    { origin: '' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
  ]) {
    const what = JSON.stringify(headers)
    await assertRefusal(await visitor.send('DELETE', 'session', undefined, headers), 'forbidden', what)
    await assertRefusal(await enterBy(transport, secret, headers), 'forbidden', what)
  }
  const foreign = { 'sec-fetch-site': 'same-site' }
  await assertRefusal(await visitor.send('GET', 'session', undefined, foreign), 'forbidden', 'reading')
  assert.is((await visitor.send('GET', 'session')).status, 200, 'and nobody was signed out')
  assert.is((await enterBy(transport, secret)).status, 200, 'nor the link used')
})

test('nobody stays signed in for ever: twelve hours, or two without a request', async () => {
  const { sql } = service.database
  for (const [column, time] of [
    ['expires_at', '-1 second'],
    ['seen_at', '-2 hours'],
  ] as const) {
    const visitor = await signIn(transport)
    await sql`update console_sessions set ${sql(column)} = now() + ${time}::interval where link_id = ${visitor.linkId}`
    await assertRefusal(await visitor.send('GET', 'session'), 'unauthorized', column)
  }
  const busy = await signIn(transport)
  await sql`update console_sessions set seen_at = now() - interval '119 minutes' where link_id = ${busy.linkId}`
  assert.is((await busy.send('GET', 'session')).status, 200)
  const [row] =
    await sql`select now() - seen_at < interval '1 minute' as fresh from console_sessions where link_id = ${busy.linkId}`
  assert.is(row?.fresh, true)
})

test('what was made while the clock was ahead does not hold until it has caught up', async () => {
  const { sql } = service.database
  const visitor = await signIn(transport)
  const move = async (ahead: string) => {
    await sql`update console_sessions set seen_at = now() + ${ahead}::interval, expires_at = now() + ${ahead}::interval + interval '12 hours'
      where link_id = ${visitor.linkId}`
    return (await visitor.send('GET', 'session')).status
  }
  assert.is(await move('1 minute'), 200, 'a clock that is put right')
  assert.is(await move('40 days'), 401)
  const { id, secret } = await newLink(transport)
  await sql`update console_links set created_at = created_at + interval '40 days', expires_at = expires_at + interval '40 days' where id = ${id}`
  await assertRefusal(await enterBy(transport, secret), 'unauthorized', 'a link of ten minutes')
})

test('a session holds on every server of the database, and ends on all of them', async () => {
  const second = await openTransport('socket', service.deps)
  try {
    const visitor = await signIn(transport)
    const headers = { cookie: visitor.cookie, 'x-pullquote-console': visitor.token }
    const there = () => second.send({ path: '/console/api/session', headers })
    assert.is((await there()).status, 200)
    await visitor.send('DELETE', 'session')
    assert.is((await there()).status, 401)
  } finally {
    await second.close()
  }
})

test('who signs out is out', async () => {
  const visitor = await signIn(transport)
  const response = await visitor.send('DELETE', 'session')
  assert.is(response.status, 204)
  assert.match(response.headers.get('set-cookie') ?? '', /=; Path=\/console; Max-Age=0;/)
  await assertRefusal(await visitor.send('GET', 'session'), 'unauthorized', 'signed out')
})

test("an owner's link is for one project, as often as wanted, until it is revoked", async () => {
  const mine = await service.makeProject('mine')
  const { id, secret } = await newLink(transport, { project: 'mine', days: 2 })
  assert.is((await enterBy(transport, secret)).status, 200)
  assert.is((await enterBy(transport, secret)).status, 200)
  const owner = await signIn(transport, { project: 'mine' })
  assert.equal(owner.projects, [{ id: mine.id, name: 'mine' }])
  assert.is((await owner.send('GET', `projects/${mine.id}/health`)).status, 200)
  const health = v.parse(v.looseObject({}), await (await owner.send('GET', `projects/${mine.id}/health`)).json())
  assert.equal(Object.keys(health), ['reviews', 'queue', 'quota'], 'nothing of the server')
  for (const other of [service.project.id, 'hotel', 'none']) {
    await assertRefusal(await owner.send('GET', `projects/${other}/health`), 'not_found', other)
  }
  assert.is((await operatorCall(transport, 'DELETE', `/operator/console-links/${id}`)).status, 204)
  await assertRefusal(await enterBy(transport, secret), 'unauthorized', 'revoked')
  assert.is((await operatorCall(transport, 'DELETE', `/operator/console-links/${owner.linkId}`)).status, 204)
  await assertRefusal(await owner.send('GET', 'session'), 'unauthorized', 'and out at once')
  await assertRefusal(await operatorCall(transport, 'DELETE', `/operator/console-links/${id}`), 'not_found', 'twice')
})

test("an owner's session ends with the link and with the project", async () => {
  await service.makeProject('short')
  const { id, secret } = await newLink(transport, { project: 'short', days: 1 })
  await service.database.sql`update console_links set expires_at = now() + interval '5 minutes' where id = ${id}`
  const session = v.object({ expires_at: v.string() })
  const expires = new Date(v.parse(session, await (await enterBy(transport, secret)).json()).expires_at)
  assert.ok(expires.getTime() < Date.now() + 6 * 60_000)
  const owner = await signIn(transport, { project: 'short' })
  await service.database.sql`delete from projects where name = 'short'`
  await assertRefusal(await owner.send('GET', 'session'), 'unauthorized', 'the project is gone')
})

test('the list of links tells who may come in and who is', async () => {
  await service.makeProject('listed')
  const owner = await signIn(transport, { project: 'listed' })
  const { links } = v.parse(
    consoleLinksResponse,
    await (await operatorCall(transport, 'GET', '/operator/console-links')).json(),
  )
  const one = links.find(({ id }) => id === owner.linkId)
  assert.equal([one?.project, one?.sessions, one?.revoked_at], ['listed', 1, null])
  const made = await operatorCall(transport, 'POST', '/operator/console-links', { project: 'listed' })
  assert.is(v.parse(createdConsoleLink, await made.json()).project, 'listed')
  assert.not.match(JSON.stringify(links), new RegExp(owner.token))
  for (const [body, path] of [
    [{ project: 'listed', days: 0 }, 'days'],
    [{ project: 'listed', days: 367 }, 'days'],
    [{ for: 1 }, 'for'],
  ] as const) {
    const error = await assertRefusal(
      await operatorCall(transport, 'POST', '/operator/console-links', body),
      'validation_failed',
      path,
    )
    assert.equal(
      error.details?.map((detail) => detail.path),
      [path],
    )
  }
  await assertRefusal(
    await operatorCall(transport, 'POST', '/operator/console-links', { project: 'none' }),
    'not_found',
    'none',
  )
})

test('the console is off unless it is asked for, and for this machine alone when it is not', async () => {
  const { console: _, ...deps } = service.deps
  const off = await openTransport('app.fetch', deps)
  for (const path of ['/console', '/console/api/session']) {
    await assertRefusal(await off.send({ path }), 'not_found', path)
  }
  await assertRefusal(await operatorCall(off, 'POST', '/operator/console-links', {}), 'not_found', 'link')
  const local = await openTransport('app.fetch', { ...deps, console: { access: 'loopback' } })
  for (const path of ['/console', '/console/api/session']) {
    await assertRefusal(await local.send({ path }), 'not_found', path)
  }
  assert.is((await transport.send({ path: '/console' })).status, 200)
})

test('the page is framed by nobody, loads nothing from elsewhere and tells nothing', async () => {
  const response = await transport.send({ path: '/console' })
  const policy = response.headers.get('content-security-policy') ?? ''
  for (const rule of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"]) {
    assert.ok(policy.includes(rule), rule)
  }
  assert.not.match(policy, /unsafe|https?:|\*/)
  assert.is(response.headers.get('x-frame-options'), 'DENY')
  assert.is(response.headers.get('access-control-allow-origin'), null)
  const html = await response.text()
  assert.not.match(html, /hotel|https?:/)
})

test.run()
