/**
 * The first process of the machine whose power is cut (power-cut.ts): starts the server on the disk, says which reviews are
 * there, and pushes others until the end. Each line for the host begins with GUEST.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import * as v from 'valibot'
import { ready, runProgram } from './processes.ts'

const URL_OF_SERVER = 'http://127.0.0.1:18787'
const TOKEN = 'the-operator-of-the-machine-without-power'
const say = (line: string) => process.stdout.write(`GUEST ${line}\n`)
const page = v.object({
  reviews: v.array(v.object({ external_id: v.string(), text: v.string() })),
  next_cursor: v.nullable(v.string()),
})

async function call(path: string, token: string, body?: object): Promise<unknown> {
  const response = await fetch(URL_OF_SERVER + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

try {
  const env = { PULLQUOTE_HOME: '/mnt/home', PULLQUOTE_OPERATOR_TOKEN: TOKEN }
  await ready(runProgram(String(process.argv[2]), ['serve', '--port', '18787'], env), URL_OF_SERVER)
  await call('/operator/projects', TOKEN, { name: 'power', plan: 'paid' }).catch((error: Error) => {
    // Made before the power was cut.
    if (!error.message.includes('another project')) throw error
  })
  const made = await call('/operator/keys', TOKEN, { project: 'power', kind: 'secret', env: 'live' })
  const { key } = v.parse(v.object({ key: v.string() }), made)
  let next = 0
  for (let cursor: string | null = ''; cursor !== null; ) {
    const parameters: string = `?limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`
    const { reviews, next_cursor } = v.parse(page, await call(`/v1/reviews${parameters}`, key))
    for (const { external_id, text } of reviews) {
      say(`FOUND ${external_id} ${text}`)
      next = Math.max(next, Number(external_id) + 1)
    }
    cursor = next_cursor
  }
  say('CHECKED')
  for (; ; next++) {
    const text = `A room for number ${next}. ${randomBytes(200).toString('hex')}`
    await call('/v1/reviews', key, [
      {
        source: 'custom',
        external_id: String(next),
        author_name: 'A guest',
        text,
        occurred_at: '2026-01-01T00:00:00Z',
      },
    ])
    say(`TAKEN ${next} ${text}`)
    await pause(1)
  }
} catch (error) {
  say(`FAULT ${String(error).replaceAll('\n', ' ')}`)
  // The machine would panic without its first process, before the line is out.
  await pause(3_600_000)
}
