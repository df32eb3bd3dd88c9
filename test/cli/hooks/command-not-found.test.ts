import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { CLI, newHome, runCli } from '../run-cli.ts'

const test = suite('a mistyped command')
const home = newHome()

for (const [typed, named, meant] of [
  ['qurey', 'qurey', 'query'],
  ['reviews pusj', 'reviews pusj', 'reviews push'],
  ['revews push', 'revews push', 'reviews push'],
  ['projcts lst', 'projcts lst', 'projects list'],
  ['reviews zzzz', 'reviews zzzz', 'reviews'],
  ['import reviews.json', 'import', 'reviews import'],
  ['rotate', 'rotate', 'keys rotate'],
] as const) {
  test(`"${typed}" may be meant for "${meant}"`, async () => {
    const { code, stderr } = await runCli(home, typed.split(' '))
    assert.is(code, 2)
    assert.match(stderr, `there is no command "${named}"`)
    assert.match(stderr, `did you mean "pullquote ${meant}"?`)
  })
}

test('is named without its arguments', async () => {
  const { stderr } = await runCli(home, ['qurey', 'quiet room', '--limit', '3'])
  assert.match(stderr, 'there is no command "qurey"')
})

test('a word after a command that takes none is not taken for a part of its name', async () => {
  for (const [typed, called] of [
    ['insights hotel', 'insights'],
    ['keys list hotel', 'keys list'],
    ['whoami http://127.0.0.1', 'whoami'],
    ['profiles shop', 'profiles'],
  ] as const) {
    const { code, stderr } = await runCli(home, typed.split(' '))
    assert.equal(
      [code, stderr],
      [2, `Error: "${called}" takes no arguments, only flags.\n  Try: pullquote ${called} --help\n`],
    )
  }
  assert.match((await runCli(home, ['console', 'lst'])).stderr, 'did you mean "pullquote console list"?')
})

test('that is like none is told where the commands stand', async () => {
  const { code, stderr } = await runCli(home, ['zzzz', 'yyyy'])
  assert.is(code, 2)
  assert.match(stderr, 'Try: pullquote --help')
})

test('a flag before the command is told to follow it', async () => {
  const { code, stderr } = await runCli(newHome(), ['--no-progress', 'query', 'sauna'])
  assert.is(code, 2)
  assert.match(stderr, 'Try: pullquote COMMAND --no-progress')
})

test('with --json the error is JSON', async () => {
  for (const [args, message, hint] of [
    [['qurey', 'sauna', '--json'], 'there is no command "qurey"', 'did you mean "pullquote query"?'],
    [['--json', 'query'], 'the command must come before its flags', 'pullquote COMMAND --json'],
  ] as const) {
    const { code, stdout, stderr } = await runCli(home, [...args])
    assert.equal([code, stdout, JSON.parse(stderr)], [2, '', { error: { code: 'usage', message, hints: [hint] } }])
  }
})

// `help` and `--help` are oclif's own, which the installed command line asks only about what there is.
if (CLI.endsWith('run.js')) {
  for (const [typed, named, meant] of [
    ['qurey --help', 'qurey', 'query'],
    ['help qurey', 'qurey', 'query'],
    ['reviews imprt -h', 'reviews imprt', 'reviews import'],
  ] as const) {
    test(`"${typed}" is no command either`, async () => {
      const { code, stderr } = await runCli(home, typed.split(' '))
      assert.is(code, 2)
      assert.match(stderr, `there is no command "${named}"`)
      assert.match(stderr, `did you mean "pullquote ${meant}"?`)
    })
  }

  test('a topic with --json is an error, not a help that no program can read', async () => {
    const { code, stdout, stderr } = await runCli(home, ['projects', '--json'])
    assert.equal([code, stdout], [2, ''])
    assert.is(JSON.parse(stderr).error.message, '"projects" is not a command by itself')
    assert.match((await runCli(home, ['projects', '--json', '--help'])).stdout, /USAGE/)
    assert.equal(JSON.parse((await runCli(home, ['profiles', '--json'])).stdout).profiles, [])
  })

  test('the help of what there is stays', async () => {
    for (const args of [
      ['help'],
      ['help', 'query'],
      ['query', '--help'],
      ['reviews:list', '-h'],
      ['reviews'],
      ['help', 'reviews'],
    ]) {
      const { code, stdout } = await runCli(home, args)
      assert.is(code, 0, args.join(' '))
      assert.match(stdout, /USAGE/)
    }
  })
}

test.run()
