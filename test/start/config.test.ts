import { totalmem } from 'node:os'
import * as assert from 'uvu/assert'
import { ConfigInvalid, readConfig } from '../../server/config.ts'
import { portWarning } from '../../server/port.ts'
import { suite } from '../suite.ts'

const test = suite('configuration')

test('needs nothing', () => {
  const config = readConfig({ XDG_DATA_HOME: '/data' })
  assert.equal(config, {
    home: '/data/pullquote',
    host: '127.0.0.1',
    port: 8787,
    embedder: { provider: 'builtin' },
    allowance: {},
    projects: { defaultPlan: 'free' },
    // By the machine.
    searchMemory: config.searchMemory,
    cache: { entries: 10_000, bytes: 32 * 1024 * 1024 },
    logLevel: 'info',
    demo: false,
    console: false,
    insightsDays: 90,
    sharedCacheSeconds: 0,
    addressShare: 0,
    trustedProxies: [],
    unknownVariables: [],
    unusedSettings: [],
  })
  assert.ok(config.searchMemory > 1e7 && config.searchMemory <= totalmem() / 8)
})

test('reads every variable', () => {
  const config = readConfig({
    DATABASE_URL: 'postgres://u:p@db:5432/reviews',
    PULLQUOTE_HOME: '/srv/pullquote',
    PULLQUOTE_HOST: '0.0.0.0',
    PULLQUOTE_PORT: '80',
    PULLQUOTE_PUBLIC_URL: 'https://reviews.example.com/',
    PULLQUOTE_OPERATOR_TOKEN: 'a-token-of-enough-length',
    PULLQUOTE_EMBEDDER: 'openai',
    PULLQUOTE_EMBEDDING_URL: 'http://localhost:11434/v1/',
    PULLQUOTE_EMBEDDING_KEY: 'k',
    PULLQUOTE_EMBEDDING_MODEL: 'nomic',
    PULLQUOTE_EMBEDDING_DIMENSIONS: '256',
    PULLQUOTE_EMBEDDING_CALIBRATION: '0.5',
    PULLQUOTE_EMBEDDING_TIMEOUT_MS: '1000',
    PULLQUOTE_EMBEDDING_BATCH: '8',
    PULLQUOTE_EMBEDDING_QUERY_PREFIX: 'query: ',
    PULLQUOTE_EMBEDDING_DOCUMENT_PREFIX: 'passage: ',
    PULLQUOTE_EMBEDDING_QUERY_FIELDS: '{"input_type":"query"}',
    PULLQUOTE_EMBEDDING_DOCUMENT_FIELDS: '{"input_type":"document"}',
    PULLQUOTE_DAILY_EMBEDDINGS: '0',
    PULLQUOTE_QUEUE_DEPTH: '100',
    PULLQUOTE_DEFAULT_PLAN: 'paid',
    PULLQUOTE_MAX_PROJECTS: '7',
    PULLQUOTE_FREE_REVIEWS: '10',
    PULLQUOTE_PAID_REVIEWS: '500000',
    PULLQUOTE_CACHE_ENTRIES: '5',
    PULLQUOTE_CACHE_BYTES: '6',
    PULLQUOTE_SEARCH_MEMORY: '5',
    PULLQUOTE_LOG_LEVEL: 'warn',
    PULLQUOTE_DEMO: 'true',
    PULLQUOTE_CONSOLE: 'true',
    PULLQUOTE_DEMO_PROJECT: 'Seaside',
    PULLQUOTE_INSIGHTS_DAYS: '0',
    PULLQUOTE_SHARED_CACHE_SECONDS: '30',
    PULLQUOTE_ADDRESS_SHARE: '25',
    PULLQUOTE_TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8::1',
  })
  assert.equal(config, {
    databaseUrl: 'postgres://u:p@db:5432/reviews',
    home: '/srv/pullquote',
    host: '0.0.0.0',
    port: 80,
    publicUrl: 'https://reviews.example.com',
    operatorToken: 'a-token-of-enough-length',
    embedder: {
      provider: 'openai',
      url: 'http://localhost:11434/v1',
      key: 'k',
      model: 'nomic',
      dimensions: 256,
      calibration: 0.5,
      timeoutMs: 1000,
      batch: 8,
      queryPrefix: 'query: ',
      documentPrefix: 'passage: ',
      queryFields: { input_type: 'query' },
      documentFields: { input_type: 'document' },
    },
    allowance: { dailyEmbeddings: 0, queueDepth: 100, reviewsPerProject: { free: 10, paid: 500_000 } },
    projects: { defaultPlan: 'paid', max: 7 },
    searchMemory: 5,
    cache: { entries: 5, bytes: 6 },
    logLevel: 'warn',
    demo: true,
    console: true,
    demoProject: 'Seaside',
    insightsDays: 0,
    sharedCacheSeconds: 30,
    addressShare: 25,
    trustedProxies: ['10.0.0.0/8', '2001:db8::1'],
    unknownVariables: [],
    unusedSettings: [],
  })
})

test('proxies that are no addresses are refused', () => {
  for (const wrong of ['proxy.example', '10.0.0.0/33', '10.0.0.0/', '::1/129', '10.0.0.0/8/8', '1.2.3'])
    assert.throws(() => readConfig({ PULLQUOTE_TRUSTED_PROXIES: `127.0.0.1,${wrong}` }), /PULLQUOTE_TRUSTED_PROXIES/)
})

test('an empty variable is one that is not set', () => {
  assert.is(readConfig({ DATABASE_URL: '', PULLQUOTE_PORT: '' }).port, 8787)
})

test('a port that a host names and nobody passed on is told, and listened on by nobody', () => {
  const told = (env: NodeJS.ProcessEnv, port?: number) => portWarning(readConfig(env, { port })) ?? ''
  assert.match(told({ PORT: '5000' }), /PORT=5000 .* not used: .* on 127\.0\.0\.1, port 8787\. .*--port "\$PORT"/)
  assert.is(told({ PORT: '5000' }, 5000) + told({ PORT: '5000', PULLQUOTE_PORT: '5000' }) + told({ PORT: 'x' }), '')
})

test('a home that a shell has not expanded is refused, since a folder called ~ would be made', () => {
  assert.throws(
    () => readConfig({ PULLQUOTE_HOME: '~/reviews' }),
    /PULLQUOTE_HOME begins with ~, .* write the full path/,
  )
  assert.is(readConfig({ PULLQUOTE_HOME: '~reviews' }).home, '~reviews')
})

test('a home in quotation marks or with blanks around it is refused, since it would be another folder, without reviews', () => {
  for (const home of ['"/data"', "'/data'", '/data ', ' /data', '"C:\\data"']) {
    assert.throws(
      () => readConfig({ PULLQUOTE_HOME: home }),
      /PULLQUOTE_HOME is in quotation marks or has blanks/,
      home,
    )
    assert.throws(() => readConfig({}, { home }), /PULLQUOTE_HOME is in quotation marks or has blanks/, home)
  }
  for (const home of ['/the data', "/Bob's", 'x']) assert.is(readConfig({ PULLQUOTE_HOME: home }).home, home)
})

test('text in quotation marks is refused, since it would be another secret, model or address', () => {
  const service = {
    PULLQUOTE_EMBEDDER: 'openai',
    PULLQUOTE_EMBEDDING_URL: ' http://models/v1 ',
    PULLQUOTE_EMBEDDING_MODEL: 'm',
  }
  for (const [name, value] of [
    ['PULLQUOTE_HOST', '0.0.0.0'],
    ['PULLQUOTE_OPERATOR_TOKEN', 'a-token-of-enough-length'],
    ['PULLQUOTE_EMBEDDING_KEY', 'sk-1'],
    ['PULLQUOTE_EMBEDDING_MODEL', 'e5'],
    ['PULLQUOTE_EMBEDDING_QUERY_PREFIX', 'query: '],
    ['PULLQUOTE_EMBEDDING_DOCUMENT_PREFIX', 'passage: '],
    ['PULLQUOTE_DEMO_PROJECT', 'hotel'],
  ] as const) {
    for (const quoted of [`"${value}"`, `'${value}'`]) {
      assert.throws(
        () => readConfig({ ...service, [name]: quoted }),
        new RegExp(`${name} is in quotation marks`),
        quoted,
      )
    }
    readConfig({ ...service, [name]: value })
  }
  assert.throws(() => readConfig({ PULLQUOTE_HOST: ' ' }), /PULLQUOTE_HOST .* has blanks around it/)
  const { embedder } = readConfig(service)
  assert.is(embedder.provider === 'openai' && embedder.url, 'http://models/v1')
})

test('a number may be as large as its message says', () => {
  assert.is(readConfig({ PULLQUOTE_QUEUE_DEPTH: '9007199254740991' }).allowance.queueDepth, Number.MAX_SAFE_INTEGER)
  assert.throws(() => readConfig({ PULLQUOTE_QUEUE_DEPTH: '9007199254740992' }), /from 0 to 9007199254740991/)
})

test('the end of a line, as secrets from files have it, is no part of a setting', () => {
  const config = readConfig({
    PULLQUOTE_OPERATOR_TOKEN: 'a-token-of-enough-length\n',
    PULLQUOTE_PORT: '80\r\n',
    PULLQUOTE_HOST: '\n',
  })
  assert.equal([config.operatorToken, config.port, config.host], ['a-token-of-enough-length', 80, '127.0.0.1'])
})

test('what Kubernetes sets beside a Service that is called pullquote is no setting', () => {
  const links = {
    PULLQUOTE_PORT: 'tcp://10.0.0.1:8787',
    PULLQUOTE_SERVICE_HOST: '10.0.0.1',
    PULLQUOTE_DB_PORT: 'tcp://10.0.0.2:5432',
  }
  const config = readConfig({ ...links, PULLQUOTE_SERVICE_PORT_HTTP: '80', PULLQUOTE_PORT_8787_TCP_ADDR: '10.0.0.1' })
  assert.equal([config.port, config.unknownVariables], [8787, []])
})

test('a variable that is called like a setting and is none is known by its name', () => {
  const env = { PULLQUOTE_TRUSTED_PROXY: '10.0.0.1', PULLQUOTE_KEY: 'x', PULLQUOTE_HOST: '::1', PULLQUOTE_CONSOL: '' }
  assert.equal(readConfig(env).unknownVariables, ['PULLQUOTE_TRUSTED_PROXY'])
})

test('the command line wins over the environment, and says nothing with undefined', () => {
  const env = { PULLQUOTE_PORT: '80', PULLQUOTE_HOST: '::1', PULLQUOTE_HOME: '/a', PULLQUOTE_LOG_LEVEL: 'info' }
  const config = readConfig(env, { port: 0, host: undefined, home: '/b', logLevel: 'error' })
  assert.equal([config.port, config.host, config.home, config.logLevel], [0, '::1', '/b', 'error'])
})

test('names every wrong setting at once, and none of their values', () => {
  try {
    readConfig({
      DATABASE_URL: 'mysql://root:hunter2@db/reviews',
      PULLQUOTE_PORT: '70000',
      PULLQUOTE_PUBLIC_URL: 'reviews.example.com',
      PULLQUOTE_OPERATOR_TOKEN: 'short',
      PULLQUOTE_EMBEDDER: 'openai',
      PULLQUOTE_EMBEDDING_CALIBRATION: '-1',
      PULLQUOTE_CACHE_BYTES: '32MB',
      PULLQUOTE_LOG_LEVEL: 'loud',
    })
    assert.unreachable()
  } catch (error) {
    if (!(error instanceof ConfigInvalid)) throw error
    assert.equal(error.problems.map((problem) => problem.setting).sort(), [
      'DATABASE_URL',
      'PULLQUOTE_CACHE_BYTES',
      'PULLQUOTE_EMBEDDING_CALIBRATION',
      'PULLQUOTE_EMBEDDING_MODEL',
      'PULLQUOTE_EMBEDDING_URL',
      'PULLQUOTE_LOG_LEVEL',
      'PULLQUOTE_OPERATOR_TOKEN',
      'PULLQUOTE_PORT',
      'PULLQUOTE_PUBLIC_URL',
    ])
    for (const { setting } of error.problems) assert.match(error.message, setting)
    assert.not.match(error.message, 'hunter2')
  }
})

test('a port that the host gives to programs, and that is not read, is noticed', () => {
  assert.is(readConfig({ PORT: '3000' }).unreadPort, '3000')
  for (const env of [
    {},
    { PORT: '' },
    { PORT: '/run/a.sock' },
    { PORT: '80a' },
    { PORT: '3000', PULLQUOTE_PORT: '3001' },
  ])
    assert.is(readConfig(env).unreadPort, undefined, JSON.stringify(env))
})

test('what is set for another embedder is refused unless the built-in one was chosen', () => {
  const url = { PULLQUOTE_EMBEDDING_URL: 'http://localhost:11434/v1' }
  assert.throws(
    () => readConfig(url),
    /PULLQUOTE_EMBEDDER must be set, since PULLQUOTE_EMBEDDING_URL is: to openai or /,
  )
  assert.equal(readConfig({ ...url, PULLQUOTE_EMBEDDER: 'builtin' }).embedder, { provider: 'builtin' })
})

test('settings of a service are named where the model runs in this process', () => {
  const env = { PULLQUOTE_EMBEDDING_MODEL: 'm', PULLQUOTE_EMBEDDING_DIMENSIONS: '256', PULLQUOTE_EMBEDDING_KEY: '' }
  const transformers = readConfig({ ...env, PULLQUOTE_EMBEDDER: 'transformers' })
  assert.equal(transformers.unusedSettings, ['PULLQUOTE_EMBEDDING_DIMENSIONS'])
  const url = 'http://localhost:11434/v1'
  const openai = readConfig({ ...env, PULLQUOTE_EMBEDDER: 'openai', PULLQUOTE_EMBEDDING_URL: url })
  assert.equal(openai.unusedSettings, [])
})

test('a project of the demo that nobody would be shown is refused', () => {
  const named = { PULLQUOTE_DEMO_PROJECT: 'Seaside' }
  assert.is(readConfig(named).demoProject, 'Seaside')
  assert.is(readConfig({}, { demoProject: 'Seaside' }).demoProject, 'Seaside')
  for (const open of [{ PULLQUOTE_HOST: '0.0.0.0' }, { PULLQUOTE_PUBLIC_URL: 'https://reviews.example' }]) {
    assert.throws(() => readConfig({ ...named, ...open }), /PULLQUOTE_DEMO_PROJECT is set, but \/demo is off/)
    assert.is(readConfig({ ...named, ...open, PULLQUOTE_DEMO: 'true' }).demoProject, 'Seaside')
  }
})

for (const [name, value] of [
  ['PULLQUOTE_PORT', '-1'],
  ['PULLQUOTE_PORT', '80.5'],
  ['PULLQUOTE_PORT', '0x50'],
  ['PULLQUOTE_QUEUE_DEPTH', '1e3'],
  ['PULLQUOTE_EMBEDDER', 'magic'],
  ['PULLQUOTE_EMBEDDING_QUERY_FIELDS', 'input_type=query'],
  ['PULLQUOTE_EMBEDDING_QUERY_FIELDS', '["query"]'],
  ['PULLQUOTE_EMBEDDING_DOCUMENT_FIELDS', '{"input":"other"}'],
  ['PULLQUOTE_OPERATOR_TOKEN', 'with a space in the middle'],
  ['PULLQUOTE_EMBEDDING_URL', 'https://name:secret@models.example/v1'],
  ['PULLQUOTE_EMBEDDING_URL', 'localhost'],
  ['PULLQUOTE_EMBEDDING_KEY', '\u201ckey\u201d'],
  ['PULLQUOTE_EMBEDDING_CALIBRATION', '1000'],
  ['DATABASE_URL', 'db'],
  ['PULLQUOTE_PUBLIC_URL', 'reviews.example'],
  ['PULLQUOTE_PUBLIC_URL', 'ftp://reviews.example'],
  ['PULLQUOTE_PUBLIC_URL', 'https://reviews.example/?page=1'],
  ['PULLQUOTE_PUBLIC_URL', 'https://reviews.example/#top'],
  ['PULLQUOTE_PUBLIC_URL', 'https://name:secret@reviews.example'],
] as const) {
  test(`refuses ${name}=${value}`, () => {
    assert.throws(
      () => readConfig({ PULLQUOTE_EMBEDDER: 'builtin', [name]: value }),
      (error: unknown) => error instanceof ConfigInvalid,
    )
  })
}

test('takes the public address as a browser reads it, since everything that the server says begins with it', () => {
  const read = (url: string) => readConfig({ PULLQUOTE_PUBLIC_URL: url }).publicUrl
  assert.equal(read(' https://Reviews.example '), 'https://reviews.example')
  assert.equal(read('https:reviews.example/our reviews/'), 'https://reviews.example/our%20reviews')
})

test.run()
