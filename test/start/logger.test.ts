import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createLogger, fileDestination, pipeDestination } from '../../server/logger.ts'
import { suite } from '../suite.ts'

const test = suite('the log in a file or a pipe')

test('a disk that is full loses lines and holds nothing up, and the first line behind them counts them', () => {
  const written: string[] = []
  let room = 8
  const log = fileDestination(2, (_fd, line) => {
    const taken = line.subarray(0, room)
    if (taken.length === 0) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
    room -= taken.length
    written.push(String(taken))
    return taken.length
  })
  log.write('{"msg":"one"}\n')
  log.write('{"msg":"two"}\n')
  room = 1_000
  log.write('{"msg":"three"}\n')
  log.write('{"msg":"four"}\n')
  assert.equal(written, ['{"msg":"', '\n{"lost_lines":2,"msg":"three"}\n', '{"msg":"four"}\n'])
})

/** A pipe that takes so many bytes until somebody reads. */
function fullAfter(room: number) {
  const pipe = { room, read: '', code: 'EAGAIN' }
  const log = pipeDestination(2, (_fd, bytes) => {
    const taken = Buffer.from(bytes).subarray(0, pipe.room)
    if (taken.length === 0) throw Object.assign(new Error('refused'), { code: pipe.code })
    pipe.room -= taken.length
    pipe.read += taken.toString('latin1')
    return taken.length
  })
  return { pipe, log }
}

test('what a slow reader has not taken waits and comes in order, and ends nobody', () => {
  const { pipe, log } = fullAfter(20)
  for (const msg of ['one', 'two', 'three']) log.write(`{"msg":"${msg}"}\n`)
  assert.is(pipe.read, '{"msg":"one"}\n{"msg"')
  pipe.room = 1_000
  log.end()
  assert.is(pipe.read, '{"msg":"one"}\n{"msg":"two"}\n{"msg":"three"}\n')
})

test('of a reader that takes nothing megabytes are kept, the lines beyond are counted, and the end does not wait for it', () => {
  const { pipe, log } = fullAfter(0)
  const long = `{"msg":"${'x'.repeat(1_000_000)}"}\n`
  for (let i = 0; i < 20; i++) log.write(long)
  const began = performance.now()
  log.end()
  assert.ok(performance.now() - began < 5_000)
  pipe.room = Number.POSITIVE_INFINITY
  log.write('{"msg":"dropped as well: the others are not taken yet"}\n')
  log.end()
  log.write('{"msg":"last"}\n')
  log.end()
  const lines = pipe.read.trimEnd().split('\n')
  assert.is(lines.length, 10)
  assert.is(lines.at(-1), '{"lost_lines":12,"msg":"last"}')
})

test('where nobody reads any more nothing is kept', () => {
  const { pipe, log } = fullAfter(0)
  pipe.code = 'EPIPE'
  log.write('{"msg":"one"}\n')
  pipe.room = 1_000
  log.write('{"msg":"two"}\n')
  assert.is(pipe.read, '{"msg":"two"}\n')
})

test('a command that makes one at each try, until the database is free, waits for the end of the process once', () => {
  const before = process.listenerCount('exit')
  for (let i = 0; i < 20; i++) createLogger('error')
  assert.ok(process.listenerCount('exit') <= before + 1)
})

test('a process without standard error, as a service of Windows is, loses lines and works on', () => {
  const script = `
    import { closeSync } from 'node:fs'
    const { createLogger } = await import('./server/logger.ts')
    closeSync(2)
    createLogger('info').info('lost')
    console.log('works')`
  const { status, stdout } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: join(import.meta.dirname, '..', '..'),
    encoding: 'utf8',
  })
  assert.equal([status, stdout], [0, 'works\n'])
})

test.run()
