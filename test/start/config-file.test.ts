import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import {
  CONFIGURATION_PAGE,
  configurationPage,
  ENV_EXAMPLE,
  envExample,
} from '../../scripts/configuration-reference.ts'
import { ConfigInvalid, readConfig } from '../../server/config.ts'
import { configReference } from '../../server/config-reference.ts'
import { settings } from '../../server/config-settings.ts'
import { suite } from '../suite.ts'

const test = suite('configuration file')
const folder = mkdtempSync(join(tmpdir(), 'pullquote-config-'))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

function problemsOf(env: NodeJS.ProcessEnv) {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigInvalid) return error.problems.map(({ setting }) => setting)
    throw error
  }
  return []
}

test('its settings hold where the environment says nothing', () => {
  const path = file('a.env', '# a comment\nPULLQUOTE_PORT=9000\nPULLQUOTE_HOST="0.0.0.0"\n')
  const config = readConfig({ PULLQUOTE_CONFIG: path, PULLQUOTE_PORT: '9001', PULLQUOTE_HOME: folder })
  assert.equal([config.port, config.host], [9001, '0.0.0.0'])
  assert.is(readConfig({ PULLQUOTE_CONFIG: path, PULLQUOTE_PORT: '', PULLQUOTE_HOME: folder }).port, 9000)
})

test('config.env in the home is read, and need not be there', () => {
  const home = mkdtempSync(join(tmpdir(), 'pullquote-config-home-'))
  assert.is(readConfig({ PULLQUOTE_HOME: home }).port, 8787)
  writeFileSync(join(home, 'config.env'), 'PULLQUOTE_PORT=9002\n')
  assert.is(readConfig({ PULLQUOTE_HOME: home }).port, 9002)
  assert.is(readConfig({}, { home }).port, 9002)
})

test('what is in its place in the home and cannot be read is not passed over', () => {
  const home = mkdtempSync(join(tmpdir(), 'pullquote-config-home-'))
  mkdirSync(join(home, 'config.env'))
  assert.equal(problemsOf({ PULLQUOTE_HOME: home }), ['PULLQUOTE_HOME'])
})

test('a home that is no folder is left to whoever opens it, who says so', () => {
  assert.equal(problemsOf({ PULLQUOTE_HOME: file('no-folder', '') }), [])
})

test('a named file must be there', () => {
  assert.equal(problemsOf({ PULLQUOTE_CONFIG: join(folder, 'none'), PULLQUOTE_HOME: folder }), ['PULLQUOTE_CONFIG'])
})

test('mistakes of the file and of the environment are named together', () => {
  const path = file('b.env', 'PULLQUOTE_PRT=1\nPULLQUOTE_HOME=/x\nPULLQUOTE_QUEUE_DEPTH=many\n')
  assert.equal(problemsOf({ PULLQUOTE_CONFIG: path, PULLQUOTE_PORT: 'x', PULLQUOTE_HOME: folder }).sort(), [
    'PULLQUOTE_HOME',
    'PULLQUOTE_PORT',
    'PULLQUOTE_PRT',
    'PULLQUOTE_QUEUE_DEPTH',
  ])
})

test('a line that sets nothing is a mistake, also the last one, and a comment or a value of several lines is none', () => {
  const of = (text: string) => ({ PULLQUOTE_CONFIG: file('c.env', text), PULLQUOTE_HOME: folder })
  const path = join(folder, 'c.env')
  assert.equal(problemsOf(of('PULLQUOTE_ADDRESS_SHARE 25\nPULLQUOTE_PORT=80\n')), [path])
  assert.equal(problemsOf(of('PULLQUOTE_PORT=80\nPULLQUOTE_ADDRESS_SHARE: 25')), [path])
  const several = '\n # so\nPULLQUOTE_PUBLIC_URL="a\nb"\nPULLQUOTE_PORT=81'
  assert.equal(problemsOf(of(several)), ['PULLQUOTE_PUBLIC_URL'])
  assert.is(readConfig(of('\ufeffPULLQUOTE_PORT=9003\r\n')).port, 9003)
})

test('a heading of equals signs, after which nothing would be read, is a mistake', () => {
  const path = file('heading.env', '===== Server =====\nPULLQUOTE_PORT=81\n')
  assert.equal(problemsOf({ PULLQUOTE_CONFIG: path, PULLQUOTE_HOME: folder }), [path])
})

test('a quote that closes nowhere, or before the end of its value, is a mistake', () => {
  const lost = ['PULLQUOTE_HOST="0.0.0.0', 'PULLQUOTE_DATABASE_URL="postgres://db"']
  const of = (...lines: string[]) => {
    const path = file('quotes.env', lines.join('\n'))
    assert.throws(() => readConfig({ PULLQUOTE_CONFIG: path, PULLQUOTE_HOME: folder }), /has a quote on line 2 that/)
  }
  of('# "', 'PULLQUOTE_HOST="0.0.0.0')
  of('', 'PULLQUOTE_HOST="0.0.0.0".example # "')
  of(...lost, 'PULLQUOTE_PORT=81')
})

test('tabs around a value, as before a comment, are no part of it', () => {
  const path = file('tabs.env', 'PULLQUOTE_PORT=\t81\t# not 80\nPULLQUOTE_HOST=\t"0.0.0.0"\t# "all"\n')
  const { port, host } = readConfig({ PULLQUOTE_CONFIG: path, PULLQUOTE_HOME: folder })
  assert.equal([port, host], [81, '0.0.0.0'])
  const quoted = file('quoted-tab.env', 'DATABASE_URL="postgres://h/d?application_name=a\tb"\n')
  assert.match(readConfig({ PULLQUOTE_CONFIG: quoted }).databaseUrl ?? '', 'a\tb', 'one in quotes is')
})

test('a setting that is set twice is a mistake, since only the last one would count', () => {
  const lines = [
    'PULLQUOTE_PORT=1',
    '# PULLQUOTE_HOST=a',
    'PULLQUOTE_HOST="b',
    'PULLQUOTE_HOST=c"',
    'export PULLQUOTE_PORT = 2',
  ]
  assert.equal(problemsOf({ PULLQUOTE_CONFIG: file('twice.env', lines.join('\n')) }), ['PULLQUOTE_PORT'])
})

test('every setting is described, and the pages are what npm run docs writes', () => {
  assert.equal(
    configReference()
      .map(({ name }) => name)
      .sort(),
    Object.keys(settings.entries).sort(),
  )
  const page = readFileSync(CONFIGURATION_PAGE, 'utf8')
  assert.is(configurationPage(page), page)
  assert.is(readFileSync(ENV_EXAMPLE, 'utf8'), envExample())
})

test('the example file is read without a mistake, as it is and with every default set', () => {
  assert.equal(problemsOf({ PULLQUOTE_CONFIG: ENV_EXAMPLE, PULLQUOTE_HOME: folder }), [])
  assert.match(envExample(), /^# Copy this file to config\.env in PULLQUOTE_HOME/)
  const all = envExample().replace(/^#(?=[A-Z_]+=)/gm, '')
  assert.equal(problemsOf({ PULLQUOTE_CONFIG: file('all.env', all), PULLQUOTE_HOME: folder }), [])
})

test('a # that would cut a value short is refused, and one in quotes or behind a blank is not', () => {
  for (const line of ['PULLQUOTE_OPERATOR_TOKEN=0123456789abcdef#ghi', 'PULLQUOTE_OPERATOR_TOKEN=#0123456789abcdef']) {
    const path = file('cut.env', `# of the server: #1\nPULLQUOTE_PORT=81 # not 80, see issue#5\n${line}\n`)
    assert.throws(
      () => readConfig({ PULLQUOTE_CONFIG: path }),
      /cut\.env has a # in the value on line 3: put the value in quotes/,
    )
  }
  const path = file('whole.env', 'PULLQUOTE_OPERATOR_TOKEN="0123456789abcdef#ghi"# or another\n')
  assert.is(readConfig({ PULLQUOTE_CONFIG: path }).operatorToken, '0123456789abcdef#ghi')
})

test.run()
