import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { startProgress, terminalOf } from '../../../src/cli/output/terminal.ts'
import { withColoursOnly } from '../../../src/cli/output/text.ts'
import { suite } from '../../suite.ts'

const test = suite('the terminal')
// The spinner's package asks for it when it is loaded, and knows nothing of NO_COLOR.
process.env.FORCE_COLOR = '1'
test.after(() => void delete process.env.FORCE_COLOR)

/** What a spinner shows at once in a terminal of so many columns. */
async function shown(columns: number, env: NodeJS.ProcessEnv, text = 'Pushing'): Promise<string> {
  const none = () => true
  const stream = Object.assign(new PassThrough(), {
    isTTY: true,
    columns,
    cursorTo: none,
    clearLine: none,
    moveCursor: none,
  })
  let written = ''
  stream.on('data', (chunk) => {
    written += chunk
  })
  const { style } = terminalOf(process.stderr, env)
  // The second finds the package loaded, and so begins before the next turn.
  startProgress({ wanted: true, stream, style, text }).stop()
  await import('ora')
  const progress = startProgress({ wanted: true, stream, style, text })
  // Where nothing may come there is nothing to wait for but a while.
  if (columns === 0) await sleep(20)
  else while (written === '') await sleep(5)
  progress.stop()
  return written
}

test('one without a size has no spinner, which would fill it with endless lines', async () => {
  assert.is(await shown(0, {}), '')
})

test('a spinner has no colour where NO_COLOR is set, and nothing of a file’s name that a terminal would obey', async () => {
  const { CI, TERM } = process.env
  delete process.env.CI
  process.env.TERM = 'xterm'
  try {
    const spinner = await shown(80, { NO_COLOR: '1' }, 'Importing a\u001b]52;c;QQ==\u0007.csv')
    assert.match(spinner, 'Importing a]52;c;QQ==.csv')
    assert.not.match(spinner, '\u001b[36m')
  } finally {
    Object.assign(process.env, { ...(CI !== undefined && { CI }), TERM: TERM ?? '' })
  }
})

test('in a terminal without TERM a spinner is a line, and moves no cursor', async () => {
  const { CI, TERM } = process.env
  delete process.env.CI
  delete process.env.TERM
  try {
    if (process.platform !== 'win32') assert.is(await shown(80, {}), '- Pushing\n')
  } finally {
    Object.assign(process.env, { ...(CI !== undefined && { CI }), ...(TERM !== undefined && { TERM }) })
  }
})

test('a line has colours and no other control characters, whatever is in it', () => {
  const line = '\u001b[1mName\u001b[22m: a\u001b]52;c;QQ==\u0007b\u001b[2Kc\u202ed\re\u001b[31'
  assert.is(withColoursOnly(line), '\u001b[1mName\u001b[22m: a]52;c;QQ==b[2Kcde[31')
})

test.run()
