// In a process of its own: it counts objects, and collects the garbage of every test before it each time.
import { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { queryObjects } from 'node:v8'
import * as assert from 'uvu/assert'
import { listen } from '../../server/http/listen.ts'
import { silent } from '../database.ts'
import { suite } from '../suite.ts'

const test = suite('requests that are sent at once')
const REQUESTS = 20
/** Garbage is collected first. */
const responses = () => Number(queryObjects(ServerResponse, { format: 'count' }))

test('leave nothing behind when their connection ends before they were answered', async () => {
  let seen = 0
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  const listening = await listen(
    async () => {
      seen++
      await answered
      return new Response('late')
    },
    { host: '127.0.0.1', port: 0, log: silent, docsUrl: () => 'http://localhost/docs' },
  )
  const { hostname, port } = new URL(listening.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(REQUESTS))
  for (const end = Date.now() + 60_000; seen < REQUESTS && Date.now() < end; ) await sleep(10)
  assert.is(seen, REQUESTS)
  assert.ok(responses() >= REQUESTS, 'they can be counted')
  socket.destroy()
  await sleep(50)
  answer()
  let left = REQUESTS
  for (const end = Date.now() + 20_000; left > 1 && Date.now() < end; await sleep(50)) left = responses()
  await listening.close(0)
  // One may still lie on the stack.
  assert.ok(left <= 1, `${left} of ${REQUESTS} are kept`)
})

test.run()
