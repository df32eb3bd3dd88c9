import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { passesOnSomeTry, until } from '../waiting.ts'
import { CLI, environmentOf, newHome, runCli } from './run-cli.ts'
import { type ServeProcess, serve } from './serve-process.ts'

const test = suite('signals to serve')
const home = newHome()

/** A request whose body never arrives whole. Resolves when the server has begun to read it. */
async function hangingRequest({ url }: ServeProcess): Promise<{ socket: Socket; ended: Promise<void> }> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  socket.on('error', () => {})
  const begun = new Promise<void>((resolve) => socket.once('data', () => resolve()))
  // The server says "100 Continue" when it begins to read the body.
  const head = ['POST /v1/query HTTP/1.1', `host: ${hostname}`, 'content-type: application/json', 'content-length: 20']
  socket.write(`${[...head, 'expect: 100-continue', '', '{"q":'].join('\r\n')}`)
  await begun
  return { socket, ended }
}

async function json(args: string[]) {
  const { code, stdout, stderr } = await runCli(home, [...args, '--json'])
  assert.is(code, 0, stderr)
  return JSON.parse(stdout)
}

test('SIGTERM waits for a request that hangs, but not beyond ten seconds', async () => {
  await passesOnSomeTry(async () => {
    const server = await serve(home)
    const { ended } = await hangingRequest(server)
    const started = Date.now()
    const { code, stderr } = await server.stop()
    const seconds = (Date.now() - started) / 1000
    assert.is(code, 0, stderr)
    assert.ok(seconds > 5, `it waited ${seconds} s`)
    await ended
    return seconds < 10 ? undefined : `it took ${seconds} s`
  })
})

test('a signal that comes twice in a moment, from systemd and from npx, is one: requests are finished', async () => {
  await passesOnSomeTry(async () => {
    const server = await serve(home)
    const { socket, ended } = await hangingRequest(server)
    const stopping = server.stop()
    // Two that wait to be delivered become one by themselves.
    await sleep(50)
    server.stop()
    await sleep(50)
    socket.write('"quiet"      }')
    const { code, stderr } = await stopping
    await ended
    return code === 0 ? undefined : `it exited with ${code}: ${stderr}`
  })
})

/** What becomes of a server without a terminal that gets these signals once it serves. */
async function endOf(execArgv: string[], signals: NodeJS.Signals[]): Promise<unknown[]> {
  const env = environmentOf(home)
  const child = fork(CLI, ['serve', '--port', '0', '--json'], {
    env,
    execArgv,
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  })
  const ended = once(child, 'exit')
  child.stdout?.once('data', () => {
    for (const signal of signals) child.kill(signal)
    setTimeout(() => child.kill('SIGKILL'), 15_000).unref()
  })
  return ended
}

test('a process manager that listens on a channel inside of the process, as pm2 does, does not keep it alive', async () => {
  const listening = 'data:text/javascript,process.on("message",()=>{})'
  assert.equal(await endOf(['--import', listening], ['SIGTERM']), [0, null])
})

test('started by nohup, it outlives its terminal', async () => {
  assert.equal(await endOf([], ['SIGHUP', 'SIGTERM']), [0, null])
})

test('a second signal ends it at once, and nothing is lost', async () => {
  await json(['projects', 'create', 'hotel'])
  await passesOnSomeTry(async () => {
    const server = await serve(home)
    const key = await json(['keys', 'create', '--kind', 'secret', '--env', 'live'])
    const { ended } = await hangingRequest(server)
    const stopping = server.stop()
    // The signal may come later than a request that is sent after it.
    await until('it listens no more', () =>
      fetch(`${server.url}/healthz`).then(
        () => false,
        () => true,
      ),
    )
    // One that comes in the same moment is the same one, passed on by whoever started the server.
    await sleep(600)
    const started = Date.now()
    server.stop()
    const { code } = await stopping
    const seconds = (Date.now() - started) / 1_000
    await ended
    const { keys } = await json(['keys', 'list'])
    assert.ok(keys.some(({ id }: { id: string }) => id === key.id))
    assert.is((await json(['status'])).server, 'in-process')
    // The code is 0 when it has waited for the request.
    return code === 1 && seconds < 2 ? undefined : `it took ${seconds} s and exited with ${code}`
  })
})

test.run()
