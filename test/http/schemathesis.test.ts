/**
 * schemathesis (a Python program) reads /openapi.json and tries what it describes, with every kind of access: no answer may
 * be a 5xx, of a status, media type or shape that is not described. `.ci/run` installs it; `SCHEMATHESIS` names it elsewhere.
 * More of them with SCHEMATHESIS_CASES, others with SCHEMATHESIS_SEED.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { readConfig } from '../../server/config.ts'
import { type RunningServer, startServer } from '../../server/start.ts'
import { copyTemplateInto, silent } from '../database.ts'
import { suite } from '../suite.ts'
import { ORIGIN, review } from './service.ts'

const root = join(import.meta.dirname, '../..')
const PROGRAM = process.env.SCHEMATHESIS ?? join(root, 'node_modules/.cache/schemathesis/bin/schemathesis')
/** Requests an operation; a bound by time would try nothing at all on a busy machine. */
const CASES = Number(process.env.SCHEMATHESIS_CASES ?? 5)
const SEED = process.env.SCHEMATHESIS_SEED ?? '20260105'
/** Fewer mean that it did not get as far as trying. */
const LEAST_CASES = 30
/** Not those that know better than the contract, such as 405 for a method that a path does not have. */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
]

const suiteOf = suite('schemathesis')
const test = (title: string, body: () => Promise<void>) =>
  existsSync(PROGRAM)
    ? suiteOf(title, body)
    : suiteOf.skip(title, `${PROGRAM} is not installed (pip install schemathesis, in a venv)`)

let home: string
let server: RunningServer
const operatorToken = 'operator-token-of-this-test'
let secret: string
let publishable: string

async function operator(path: string, body: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' }
  const response = await fetch(`${server.url}/operator/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  assert.ok(response.ok, await response.clone().text())
  return response.json()
}

const made = v.looseObject({ key: v.string() })

if (existsSync(PROGRAM)) {
  suiteOf.before(async () => {
    home = await mkdtemp(join(tmpdir(), 'pullquote-schemathesis-'))
    await copyTemplateInto(home)
    const env = { PULLQUOTE_HOME: home, PULLQUOTE_PORT: '0', PULLQUOTE_OPERATOR_TOKEN: operatorToken }
    server = await startServer(readConfig(env), { log: silent })
    await operator('projects', { name: 'Seaside', plan: 'paid', origins: [ORIGIN] })
    secret = v.parse(made, await operator('keys', { project: 'Seaside', kind: 'secret', env: 'live' })).key
    publishable = v.parse(made, await operator('keys', { project: 'Seaside', kind: 'publishable', env: 'live' })).key
    const pushed = await fetch(`${server.url}/v1/reviews`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify([review('a'), review('b'), review('c', { rating: null })]),
    })
    assert.is(pushed.status, 200)
    await server.idle()
  })
  suiteOf.after(async () => {
    await server?.close()
    await rm(home, { recursive: true, force: true })
  })
}

/** What a publishable key may ask: so few operations that each is tried with twice as many cases. */
const QUERIES = '^/(v1/query|explain)'

/** Beside none, with which schemathesis itself sends its requests; schemathesis_accesses.py sends them again with each. */
interface Access {
  name: string
  headers: Record<string, string>
  /** Pattern of the paths. */
  paths: string
}

const accesses = (): Access[] => [
  {
    name: 'a publishable key',
    headers: { authorization: `Bearer ${publishable}`, origin: ORIGIN },
    paths: QUERIES,
  },
  { name: 'a secret key', headers: { authorization: `Bearer ${secret}` }, paths: '^/(?!operator|metrics)' },
  {
    name: 'the operator token',
    headers: { authorization: `Bearer ${operatorToken}` },
    paths: '^/(operator|metrics|readyz)',
  },
]

const told = v.record(v.string(), v.object({ requests: v.number(), failures: v.array(v.string()) }))

interface Outcome {
  code: number | null
  output: string
  accesses: v.InferOutput<typeof told>
}

/** What schemathesis reads in the folder where it runs. */
const SETTINGS = `generation.max-examples = ${CASES}
[[operations]]
include-path-regex = "${QUERIES}"
generation.max-examples = ${2 * CASES}
`

async function tryAll(): Promise<Outcome> {
  await writeFile(join(home, 'schemathesis.toml'), SETTINGS)
  const args = [
    // One worker: with two, CPython 3.11 itself fails now and then ("AST constructor recursion depth mismatch").
    ...['run', `${server.url}/openapi.json`, '--url', server.url, '--no-color', '--workers', '1'],
    ...['--no-shrink', '--seed', SEED, '--generation-database', 'none', '--warnings', 'off'],
    ...['--phases', 'examples,fuzzing'],
    ...['--checks', [...CHECKS, 'every_access'].join()],
    // Every path: unless that is said, one operation of the 38 is left out.
    ...['--include-path-regex', '.', '--suppress-health-check', 'all', '--request-timeout', '60'],
  ]
  const report = join(home, 'accesses.json')
  const env = {
    ...process.env,
    SCHEMATHESIS_HOOKS: join(import.meta.dirname, 'schemathesis_accesses.py'),
    PYTHONDONTWRITEBYTECODE: '1',
    CHECKED: CHECKS.join(),
    ACCESSES: JSON.stringify(accesses()),
    REPORT: report,
  }
  const child = spawn(PROGRAM, args, { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, output, accesses: v.parse(told, JSON.parse(await readFile(report, 'utf8').catch(() => '{}'))) }
}

let outcome: Promise<Outcome> | undefined
const tried = (): Promise<Outcome> => {
  outcome ??= tryAll()
  return outcome
}

test('with no key, no answer is a 5xx or other than described', async () => {
  const { code, output } = await tried()
  assert.is(code, 0, output)
  assert.ok(Number(/(\d+) generated/.exec(output)?.[1]) >= LEAST_CASES, output)
})

for (const { name } of accesses()) {
  test(`with ${name}, no answer is a 5xx or other than described`, async () => {
    const { output, accesses } = await tried()
    assert.is(accesses[name]?.failures.join('\n'), '', output)
    assert.ok((accesses[name]?.requests ?? 0) >= LEAST_CASES, JSON.stringify(accesses))
  })
}

suiteOf.run()
