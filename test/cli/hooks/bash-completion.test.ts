import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { newHome, runCli } from '../run-cli.ts'

const test = suite('shell completion')
const home = newHome()
const functions = join(home, 'cache', 'pullquote', 'autocomplete', 'functions')

test.before(async () => {
  const { code, stderr } = await runCli(home, ['autocomplete', 'bash'])
  assert.is(code, 0, stderr)
})

/** What Tab offers at the end of the line, in a bash that read what `autocomplete` wrote. */
function offered(line: string): string[] {
  // As bash does it: an equals sign is a word of its own.
  const words = line.split(/(=)| +/).filter((word) => word !== undefined)
  const script = `
    source "$1"; shift
    COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 ))
    _pullquote_autocomplete
    printf '%s\\n' "\${COMPREPLY[@]}"`
  const file = join(functions, 'bash', 'pullquote.bash')
  const output = execFileSync('bash', ['--norc', '-c', script, 'bash', file, ...words], { encoding: 'utf8' })
  return output.split('\n').filter((word) => word !== '')
}

test('commands are completed, and those below a topic', () => {
  assert.equal(offered('pullquote q'), ['query'])
  assert.ok(['serve', 'reviews', 'profiles', 'projects'].every((name) => offered('pullquote ').includes(name)))
  assert.equal(offered('pullquote pro'), ['profiles', 'projects'])
  assert.equal(offered('pullquote reviews hi'), ['hide'])
  assert.equal(offered('pullquote keys ').sort(), ['create', 'list', 'revoke', 'rotate'])
})

test('flags are those of the command, also after arguments and other flags', () => {
  assert.equal(offered('pullquote reviews wipe --y'), ['--yes'])
  assert.equal(offered('pullquote reviews push reviews.json --w'), ['--wait'])
  assert.equal(offered('pullquote query breakfast --limit 3 --mod'), ['--mode'])
  assert.ok(offered('pullquote status --').includes('--json'))
  assert.equal(offered('pullquote reviews import a.csv --no-da'), ['--no-day-first'])
  assert.equal(offered('pullquote --'), ['--help', '--version'])
})

test('values are completed where there is a choice', () => {
  assert.equal(offered('pullquote query --mode '), ['excerpts', 'reviews'])
  assert.equal(offered('pullquote query --mode=re'), ['reviews'])
  assert.equal(offered('pullquote query --mode='), ['excerpts', 'reviews'])
  assert.equal(offered('pullquote keys create --env t'), ['test'])
})

test('elsewhere bash completes file names', () => {
  assert.equal(offered('pullquote reviews push re'), [])
  assert.equal(offered('pullquote reviews import a.csv --errors '), [])
  assert.equal(offered('pullquote projects tune hotel '), [])
  assert.match(
    readFileSync(join(functions, 'bash', 'pullquote.bash'), 'utf8'),
    /^complete -o default -F \S+ pullquote$/m,
  )
})

test('what is added to .bashrc reads the functions', async () => {
  const { stdout } = await runCli(home, ['autocomplete', 'script', 'bash'])
  const shown = execFileSync('bash', ['--norc', '-c', `${stdout}\ncomplete -p pullquote`], { encoding: 'utf8' })
  assert.match(shown, /_pullquote_autocomplete pullquote/)
})

test('zsh and PowerShell get functions too', () => {
  assert.match(readFileSync(join(functions, 'zsh', '_pullquote'), 'utf8'), /#compdef pullquote/)
  assert.match(readFileSync(join(functions, 'powershell', 'pullquote.ps1'), 'utf8'), /pullquote/)
})

test.run()
