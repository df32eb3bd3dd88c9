import * as assert from 'uvu/assert'
import { fileOf } from '../../server/logger.ts'
import { suite } from '../suite.ts'

const test = suite('the log in a file')

test('a disk that is full loses lines and holds nothing up, and the first line behind them counts them', () => {
  const written: string[] = []
  let isFull = true
  const log = fileOf(2, (_fd, line) => {
    if (isFull) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
    written.push(line)
  })
  log.write('{"msg":"one"}\n')
  log.write('{"msg":"two"}\n')
  isFull = false
  log.write('{"msg":"three"}\n')
  log.write('{"msg":"four"}\n')
  assert.equal(written, ['{"lost_lines":2,"msg":"three"}\n', '{"msg":"four"}\n'])
})

test.run()
