import * as assert from 'uvu/assert'
import { resolveSettings } from '../../../src/cli/connection/settings.ts'
import { CliError } from '../../../src/cli/errors/cli-error.ts'
import { suite } from '../../suite.ts'

const test = suite('settings by rank')

const profiles = {
  default: 'main',
  profiles: {
    main: { url: 'https://main.example', key: 'main-key', project: 'main-project', env: 'live' as const },
    other: { url: 'https://other.example', operator_token: 'other-token' },
  },
}
const none = { profiles: {} }

test('a flag goes before the environment, that before the profile, that before nothing', () => {
  const env = { PULLQUOTE_URL: 'https://env.example', PULLQUOTE_PROJECT: 'env-project' }
  assert.is(resolveSettings({ url: 'https://flag.example' }, env, profiles, '/home').url, 'https://flag.example')
  assert.is(resolveSettings({}, env, profiles, '/home').url, 'https://env.example')
  assert.is(resolveSettings({}, {}, profiles, '/home').url, 'https://main.example')
  assert.is(resolveSettings({}, {}, none, '/home').url, undefined)
  assert.is(resolveSettings({}, env, profiles, '/home').project, 'env-project')
  assert.is(resolveSettings({ project: 'flag' }, env, profiles, '/home').project, 'flag')
})

test('the end of a line is no part of a variable, nor blanks of an address', () => {
  const env = {
    PULLQUOTE_URL: ' https://env.example/ ',
    PULLQUOTE_KEY: 'key\n',
    PULLQUOTE_PROJECT: 'a b\r\n',
    PULLQUOTE_HOME: '/h\n',
  }
  const { url, key, project, home } = resolveSettings({}, env, none, '/home')
  assert.equal([url, key, project, home], ['https://env.example', 'key', 'a b', '/h'])
})

test('a profile is chosen by flag, environment or default', () => {
  assert.is(resolveSettings({ profile: 'other' }, {}, profiles, '/h').operatorToken, 'other-token')
  assert.is(resolveSettings({}, { PULLQUOTE_PROFILE: 'other' }, profiles, '/h').url, 'https://other.example')
  assert.is(resolveSettings({}, {}, profiles, '/h').key, 'main-key')
})

test("a profile's key never goes to another server", () => {
  assert.is(resolveSettings({ url: 'https://evil.example' }, {}, profiles, '/h').key, undefined)
  assert.is(resolveSettings({}, { PULLQUOTE_URL: 'https://evil.example' }, profiles, '/h').key, undefined)
  const other = resolveSettings({ profile: 'other', url: 'https://evil.example' }, {}, profiles, '/h')
  assert.is(other.operatorToken, undefined)
})

test('a named profile that the environment overrules is told', () => {
  const { url, notices } = resolveSettings(
    { profile: 'other' },
    { PULLQUOTE_URL: 'https://env.example' },
    profiles,
    '/h',
  )
  assert.is(url, 'https://env.example')
  assert.equal(notices, ['PULLQUOTE_URL (https://env.example) is used instead of the address of the profile "other"'])
  const env = { PULLQUOTE_KEY: 'env-key', PULLQUOTE_PROJECT: 'env-project', PULLQUOTE_ENV: 'live' }
  assert.equal(resolveSettings({ profile: 'main' }, env, profiles, '/h').notices, [
    'PULLQUOTE_KEY is used instead of the key of the profile "main"',
    'PULLQUOTE_PROJECT (env-project) is used instead of the project of the profile "main"',
  ])
  assert.equal(resolveSettings({ profile: 'main', key: 'k', project: 'p' }, env, profiles, '/h').notices, [])
  assert.equal(resolveSettings({}, env, profiles, '/h').notices, [], 'nobody named the profile')
})

test('an empty variable is an absent one', () => {
  assert.is(resolveSettings({}, { PULLQUOTE_URL: '', PULLQUOTE_HOME: '' }, none, '/default').url, undefined)
  assert.is(resolveSettings({}, { PULLQUOTE_HOME: '' }, none, '/default').home, '/default')
  assert.is(resolveSettings({}, { PULLQUOTE_HOME: '/mine' }, none, '/default').home, '/mine')
})

function errorOf(work: () => unknown): CliError {
  try {
    work()
  } catch (error) {
    if (error instanceof CliError) return error
  }
  throw new Error('no CliError')
}

test('a mistyped profile is told what was meant', () => {
  const error = errorOf(() => resolveSettings({ profile: 'othr' }, {}, profiles, '/h'))
  assert.is(error.exitCode, 2)
  assert.equal(error.hints, ['did you mean "other"?'])
})

test('an address is that of the server, not of its API or a page of it', () => {
  for (const [url, route] of [
    ['https://x.example/v1', '/v1'],
    ['http://x.example:8787/reviews/console/', '/console/'],
  ] as const) {
    const error = errorOf(() => resolveSettings({ url }, {}, none, '/h'))
    assert.equal(
      [error.message, error.hints],
      [`"${url}" is not the address of the server itself`, [`leave out ${route}`]],
    )
  }
  assert.is(
    resolveSettings({ url: 'https://x.example/v1/reviews' }, {}, none, '/h').url,
    'https://x.example/v1/reviews',
  )
})

test('an address must be one', () => {
  assert.match(errorOf(() => resolveSettings({ url: 'reviews.example.com' }, {}, none, '/h')).message, /not an address/)
  assert.match(errorOf(() => resolveSettings({ url: 'ftp://x' }, {}, none, '/h')).message, /not an address/)
  assert.match(
    errorOf(() => resolveSettings({ url: 'https://x.example/?a=b' }, {}, none, '/h')).message,
    /not an address/,
  )
  const { message } = errorOf(() => resolveSettings({ url: 'https://me:secret@x.example' }, {}, none, '/h'))
  assert.match(message, /^the address of x\.example must not contain a user name or password$/)
  assert.is(resolveSettings({ url: 'https://x.example/' }, {}, none, '/h').url, 'https://x.example')
})

test.run()
