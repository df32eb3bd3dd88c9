import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { parseKey } from '../../src/contract/key.ts'
import { assertRefusal } from '../http/answers.ts'
import { serviceOnTransports } from '../http/service-on-transports.ts'
import { TRANSPORTS } from '../http/transport.ts'
import { suite } from '../suite.ts'
import { createdKey, keyList } from './operator-answers.ts'
import { operatorCalls } from './operator-calls.ts'

const test = suite('operator routes: keys')

const { service, transports } = serviceOnTransports(test)

for (const name of TRANSPORTS) {
  const { call, unique, make } = operatorCalls(name, transports)

  test(`${name}: a key is shown once, works, is listed without itself and stops working when revoked`, async () => {
    const { name: title } = await make({ name: unique('keys') })
    const response = await call('POST', '/operator/keys', {
      project: title,
      kind: 'secret',
      env: 'test',
      name: ' shop ',
    })
    assert.is(response.status, 201)
    const made = v.parse(createdKey, await response.json())
    assert.equal(parseKey(made.key), { kind: 'secret', env: 'test' })
    assert.is(made.project, title)
    assert.is((await call('GET', '/v1/reviews', undefined, made.key)).status, 200)

    const text = await (await call('GET', `/operator/keys?project=${encodeURIComponent(title)}`)).text()
    assert.not.match(text, made.key)
    const { keys } = v.parse(keyList, JSON.parse(text))
    assert.equal(
      keys.map((key) => [key.id, key.name, key.hint, key.last_used_at !== null, key.revoked_at]),
      [[made.id, 'shop', made.key.slice(-4), true, null]],
    )
    const [stored] = await service.database.sql`select key_hash::text as hash from api_keys where id = ${made.id}`
    assert.is(stored?.hash.length, 66)

    assert.is((await call('DELETE', `/operator/keys/${made.id}`)).status, 204)
    await assertRefusal(await call('DELETE', `/operator/keys/${made.id}`), 'not_found', 'revoked twice')
    await assertRefusal(await call('DELETE', '/operator/keys/none'), 'not_found', 'no id')
    await assertRefusal(await call('GET', '/v1/reviews', undefined, made.key), 'unauthorized', 'revoked')
  })

  test(`${name}: a key may expire, by the clock of the database, which may not be the server's`, async () => {
    const body = { project: 'hotel', kind: 'secret', env: 'live', expires_in_seconds: 60 }
    const made = v.parse(createdKey, await (await call('POST', '/operator/keys', body)).json())
    const [both] = await service.database.sql`
      select expires_at - created_at = interval '60 seconds' as exact from api_keys where id = ${made.id}`
    assert.is(both?.exact, true, 'its beginning and its end are from one clock')
    assert.is((await call('GET', '/v1/reviews', undefined, made.key)).status, 200)
    await service.database.sql`update api_keys set expires_at = now() - interval '1 second' where id = ${made.id}`
    await assertRefusal(await call('GET', '/v1/reviews', undefined, made.key), 'unauthorized', 'expired')
  })

  test(`${name}: keys of no project, kind or environment are refused`, async () => {
    const good = { project: 'hotel', kind: 'secret', env: 'live' }
    await assertRefusal(await call('POST', '/operator/keys', { ...good, project: 'none' }), 'not_found', 'project')
    for (const change of [{ kind: 'public' }, { env: 'prod' }, { expires_in_seconds: 0 }, { scope: 'all' }]) {
      const error = await assertRefusal(
        await call('POST', '/operator/keys', { ...good, ...change }),
        'validation_failed',
        'key',
      )
      assert.equal(
        error.details?.map((detail) => detail.path),
        Object.keys(change),
      )
    }
    await assertRefusal(await call('GET', '/operator/keys?project=none'), 'not_found', 'list')
    await assertRefusal(await call('GET', '/operator/keys?env=live'), 'validation_failed', 'list')
  })
}

test.run()
