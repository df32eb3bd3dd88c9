/** Every deployment template is read by the checker of the program that it is for. */
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { validate } from 'dockerfile-utils'
import { execa, execaSync } from 'execa'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { composeEnvExample } from '../../scripts/configuration-reference.ts'
import { readConfig } from '../../server/config.ts'
import { settings } from '../../server/config-settings.ts'
import { fencedBlocks } from '../docs/markdown.ts'
import { suite } from '../suite.ts'
import { check, missingTool, TEMPLATES } from './checkers.ts'
import { writeNginxCache, writeNginxSite } from './proxies.ts'

const test = suite('deployment templates')
const dir = mkdtempSync(join(tmpdir(), 'pullquote-templates-'))
test.after(() => rmSync(dir, { recursive: true, force: true }))
const text = (name: string) => readFileSync(join(TEMPLATES, name), 'utf8')

/** A test that needs programs; without them, it is left out, loudly. */
function withTools(names: string[], title: string, run: () => void): void {
  const missing = missingTool(...names)
  if (missing === undefined) test(title, run)
  else test.skip(title, `${missing} is not installed`)
}

test('there is a check for each', () => {
  const checked = [
    '.env.example',
    'Caddyfile',
    'Dockerfile',
    'compose.env.example',
    'compose.yaml',
    'nginx-cache.conf',
    'nginx.conf',
    'pullquote.service',
  ]
  assert.equal(readdirSync(TEMPLATES).sort(), checked)
})

withTools(['systemd-analyze'], 'systemd accepts the unit', () => {
  const { code, said } = check('systemd-analyze', ['verify', join(TEMPLATES, 'pullquote.service')])
  // It also reads the machine's own units, and has something to say about some.
  assert.equal({ code, said: said.split('\n').filter((line) => line.includes('pullquote')) }, { code: 0, said: [] })
})

// The check opens the ports too.
const mayUsePort443 = process.getuid?.() === 0
withTools(['nginx', 'openssl'], 'nginx accepts its configuration', () => {
  const { code, said } = check('nginx', ['-t', '-q', '-c', writeNginxSite(dir, mayUsePort443 ? {} : { port: 18_443 })])
  assert.is(said, '')
  assert.is(code, 0)
})

withTools(['nginx'], 'nginx accepts the cache before a server', () => {
  const { code, said } = check('nginx', ['-t', '-q', '-c', writeNginxCache(dir, { port: 18_444 })])
  assert.is(said, '')
  assert.is(code, 0)
})

withTools(['caddy'], 'Caddy accepts the Caddyfile, and its formatter leaves it', () => {
  const file = join(TEMPLATES, 'Caddyfile')
  const env = { HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir }
  const { code, said } = check('caddy', ['validate', '--config', file, '--adapter', 'caddyfile'], { env })
  assert.is(code, 0, said)
  assert.match(said, 'Valid configuration')
  assert.not.match(said, /"level":"warn"|\bWARN\b/)
  assert.is(execaSync('caddy', ['fmt', file]).stdout, text('Caddyfile').trimEnd())
})

test('the Dockerfile has nothing that its linter minds', () => {
  assert.equal(validate(text('Dockerfile')), [])
  // The linter sees mistakes at all.
  assert.is(validate('FROM node\nRUNN npm install\n').length, 1)
})

test('the container’s health is that of the server, on whichever port it listens', async () => {
  const command = /^HEALTHCHECK .*\\\n +CMD (\[.+\])$/m.exec(text('Dockerfile'))?.[1] ?? '[]'
  const [program = '', ...args] = v.parse(v.array(v.string()), JSON.parse(command))
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/healthz' ? 200 : 404
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const health = () => execa(program, args, { env: { PULLQUOTE_PORT: String(port) }, reject: false })
  assert.is((await health()).exitCode, 0)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  assert.is((await health()).exitCode, 1)
})

withTools(
  ['docker-compose', 'bash', 'openssl'],
  'Compose accepts its file, with the secrets that docs/deployment.md makes, and not without',
  () => {
    for (const name of ['Dockerfile', 'compose.yaml']) copyFileSync(join(TEMPLATES, name), join(dir, name))
    const compose = (args: string[]) => check('docker-compose', ['-f', 'compose.yaml', 'config', ...args], { cwd: dir })
    const without = compose(['--quiet'])
    assert.not.equal(without.code, 0)
    assert.match(without.said, /set it in \.env/)

    const page = readFileSync(join(TEMPLATES, '..', '..', 'docs', 'deployment.md'), 'utf8')
    const secrets = fencedBlocks(page)
      .flatMap((block) => block.text.split('\n'))
      .find((line) => line.endsWith('> .env'))
    execaSync('bash', ['-c', secrets ?? 'false'], { cwd: dir })
    const settled = compose(['--quiet'])
    assert.equal(settled, { code: 0, said: '' })
    // What the container gets is a configuration that a server starts with.
    const environment = compose([]).said.match(/^ {6}(DATABASE_URL|PULLQUOTE_\w+): .*$/gm) ?? []
    assert.is(environment.length, 6)
    const pairs = environment.map((line) => line.trim().split(/: (.*)/s))
    const unquoted = pairs.map(([name, value]) => [name, value?.replace(/^"(.*)"$/, '$1')])
    const config = readConfig(Object.fromEntries(unquoted))
    assert.equal([config.host, config.port, config.home], ['0.0.0.0', 8787, '/data'])
    assert.match(config.databaseUrl ?? '', /^postgres:\/\/pullquote:[0-9a-f]{32}@database:5432\/pullquote$/)
    assert.is(config.publicUrl, 'http://localhost:8787')
  },
)

test('the server in compose gets every setting that stands in .env', () => {
  assert.match(text('compose.yaml'), /^ {4}env_file: \.env$/m)
  assert.is(text('compose.env.example'), composeEnvExample())
})

test('.env.example names every setting but the home, with its default, and a server starts with it as it is', () => {
  const names = Object.keys(settings.entries).filter((name) => name !== 'PULLQUOTE_HOME')
  const shown = text('.env.example').match(/^#[A-Z_]+=.*$/gm) ?? []
  assert.equal(shown.map((line) => line.slice(1, line.indexOf('='))).sort(), names.sort())
  const file = join(dir, 'all.env')
  writeFileSync(file, shown.map((line) => line.slice(1)).join('\n'))
  const given = parseEnv(readFileSync(file, 'utf8'))
  assert.equal(readConfig({ ...given, PULLQUOTE_HOME: dir }), readConfig({ PULLQUOTE_HOME: dir }))
})

test.run()
