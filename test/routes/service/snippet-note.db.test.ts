/** The sentence that says which reviews a page shows: true of the project's settings at every moment. */
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { createApp } from '../../../server/app.ts'
import { createNoteLimit } from '../../../server/http/address-limit.ts'
import { trustedProxies } from '../../../server/http/client-address.ts'
import { revokeKey } from '../../../server/sql/access/keys.ts'
import { updateProject } from '../../../server/sql/projects/projects.ts'
import { assertConventions, assertRefusal } from '../../http/answers.ts'
import { ORIGIN } from '../../http/service.ts'
import { serviceOnTransports } from '../../http/service-on-transports.ts'
import { TRANSPORTS } from '../../http/transport.ts'
import { suite } from '../../suite.ts'

const answered = v.strictObject({ min_rating: v.number(), note: v.string(), lang: v.string() })

const test = suite('the note of the snippet')

const { service, transports } = serviceOnTransports(test)

for (const name of TRANSPORTS) {
  const noteOf = async (parameters = '') => {
    const path = `/snippet/note?key=${service.keys.publishable}${parameters}`
    const response = await transports[name].send({ path, headers: { origin: 'https://anywhere.example' } })
    assert.is(response.status, 200, path)
    assertConventions(response, path)
    assert.is(response.headers.get('access-control-allow-origin'), '*')
    return v.parse(answered, await response.json())
  }

  test(`${name}: says the project's minimum as it is now, after every change`, async () => {
    const { sql } = service.database
    for (const [minRating, expected] of [
      [4, 'Showing reviews of 4 stars and more, and unrated ones that are not negative'],
      [5, 'Showing reviews of 5 stars, and unrated ones that are not negative'],
      [1, 'Showing reviews of any rating, and unrated ones that are not negative'],
      [3, 'Showing reviews of 3 stars and more, and unrated ones that are not negative'],
    ] as const) {
      await updateProject(sql, service.project.id, { minRating })
      assert.equal(await noteOf(), { min_rating: minRating, note: expected, lang: 'en' })
    }
    // What the page asks for can only be stricter.
    assert.is((await noteOf('&min_rating=5')).min_rating, 5)
    assert.is((await noteOf('&min_rating=2')).min_rating, 3)
  })

  test(`${name}: says that complaints are left out, where they are`, async () => {
    const { sql } = service.database
    await updateProject(sql, service.project.id, { minRating: 4, excerpts: 'no_complaints' })
    assert.match(
      (await noteOf()).note,
      /^Showing reviews of 4 stars and more, .*; passages that complain are left out$/,
    )
    assert.match((await noteOf('&lang=de')).note, /; Stellen, die etwas bemängeln, sind ausgelassen$/)
    await updateProject(sql, service.project.id, { minRating: 3, excerpts: 'all' })
    assert.not.match((await noteOf()).note, /complain/)
  })

  test(`${name}: speaks the page's language where there are words for it`, async () => {
    assert.match((await noteOf('&lang=de-AT')).note, /^Gezeigt werden Bewertungen ab 3 Sternen/)
    for (const lang of ['de', 'fr', 'es', 'it', 'nl', 'pt'])
      for (const rating of ['3', '5']) {
        const said = await noteOf(`&lang=${lang}&min_rating=${rating}`)
        assert.is(said.lang, lang)
        assert.match(said.note, rating)
      }
    for (const lang of ['ja', 'den', 'toString', '__proto__', '%F0%9F%98%80', ''])
      assert.is((await noteOf(`&lang=${lang}`)).lang, 'en', lang)
  })

  test(`${name}: a publishable key in the address, and nothing else`, async () => {
    const { publishable, secret } = service.keys
    const refused = (path: string, code: Parameters<typeof assertRefusal>[1]) =>
      transports[name].send({ path }).then((response) => assertRefusal(response, code, path))
    await refused('/snippet/note', 'unauthorized')
    await refused(`/snippet/note?key=${secret}`, 'unauthorized')
    await refused(`/snippet/note?key=svc_pk_live_${'x'.repeat(32)}`, 'unauthorized')
    await refused(`/snippet/note?key=${publishable}&key=${publishable}`, 'unauthorized')
    for (const parameter of [
      'min_rating=0',
      'min_rating=6',
      'min_rating=x',
      'project=hotel',
      'lang=de&lang=fr',
      `lang=${'a'.repeat(36)}`,
      'lang=%ff',
    ])
      await refused(`/snippet/note?key=${publishable}&${parameter}`, 'validation_failed')
  })

  test(`${name}: counts no request of the key, and ends with it`, async () => {
    const { sql } = service.database
    const key = await service.makeKey(service.project, 'publishable', 'live')
    const path = `/snippet/note?key=${key}`
    assert.is((await transports[name].send({ path })).status, 200)
    const [row] = await sql<{ id: string; counted: boolean }[]>`
      select id, exists (select 1 from rate_windows where key_id = api_keys.id) as counted
      from api_keys order by created_at desc limit 1`
    assert.is(row?.counted, false)
    await revokeKey(sql, row?.id ?? '')
    await assertRefusal(await transports[name].send({ path }), 'unauthorized', path)
  })
}

test('one address has 600 notes a minute with one key; others have theirs, and the key its queries', async () => {
  let now = Date.parse('2026-03-01T10:00:00Z')
  const clock = () => new Date(now)
  const app = createApp({ ...service.deps, noteLimit: createNoteLimit({ proxies: trustedProxies([]), clock }) })
  const ask = (visitor: string, key = service.keys.publishable) => {
    const request = new Request(`http://pullquote.test/snippet/note?key=${key}`, {
      headers: { 'x-forwarded-for': visitor },
    })
    return app.fetch(Object.assign(request, { ip: '127.0.0.1' }))
  }
  for (let n = 0; n < 600; n++) assert.is((await ask('192.0.2.1')).status, 200, `${n}`)
  now += 20_000
  const refused = await ask('192.0.2.1')
  assert.is(refused.headers.get('retry-after'), '40')
  await assertRefusal(refused, 'rate_limited', 'the 601st')
  assert.is((await ask('192.0.2.2')).status, 200)
  assert.is((await ask('192.0.2.1', await service.makeKey(service.project, 'publishable', 'live'))).status, 200)
  now += 40_000
  assert.is((await ask('192.0.2.1')).status, 200)
  const queried = await app.fetch(
    new Request('http://pullquote.test/v1/query', {
      headers: { authorization: `Bearer ${service.keys.publishable}`, origin: ORIGIN },
    }),
  )
  assert.is(queried.status, 200)
})

test('visitors whom no proxy names are not one visitor, who would have used up the notes of all', () => {
  const limit = createNoteLimit({ proxies: trustedProxies([]), clock: () => new Date('2026-03-01T10:00:00Z') })
  const ask = (ip: string) => limit.count({ ip, headers: new Headers() }, service.keys.publishable)
  for (let n = 0; n < 601; n++) assert.is(ask('127.0.0.1'), undefined)
  for (let n = 0; n < 600; n++) assert.is(ask('192.0.2.1'), undefined)
  assert.is(ask('192.0.2.1')?.code, 'rate_limited')
})

test.run()
