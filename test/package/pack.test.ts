import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse, tokenizer } from 'acorn'
import { execa } from 'execa'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'

const test = suite('the package as npm installs it')
const root = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'pullquote-pack-'))
const sample = join(folder, 'node_modules', 'pullquote', 'templates', 'demo', 'reviews.json')
const bin = join(folder, 'node_modules', 'pullquote', 'bin', 'run.js')
// Nothing of the checkout or of this shell may help.
const env = {
  PATH: process.env.PATH ?? '',
  HOME: folder,
  PULLQUOTE_HOME: join(folder, 'data'),
  XDG_CONFIG_HOME: join(folder, 'config'),
}

function pullquote(...args: string[]) {
  return execa(process.execPath, [bin, ...args], { cwd: folder, env, extendEnv: false, timeout: 120_000 })
}

test.before(async () => {
  const packed = await execa('npm', ['pack', '--json', '--pack-destination', folder], { cwd: root })
  // The scripts of the package print before npm does, which lists packages, from npm 12 on by name.
  const listed: Record<string, { filename: string; files: { path: string }[] }> = JSON.parse(
    packed.stdout.slice(packed.stdout.search(/^[[{]$/m)),
  )
  const [{ filename, files } = { filename: '', files: [] }] = Object.values(listed)
  const paths = files.map(({ path }) => path)
  for (const needed of [
    'dist/cli/oclif.manifest.json',
    'dist/server/db/migrations/0001_init.sql',
    'dist/server/db/home/empty-database.zip.br',
    'LICENSE',
    'dist/cli/THIRD-PARTY-LICENSES.txt',
    'README.md',
    'templates/deploy/.env.example',
  ]) {
    assert.ok(paths.includes(needed), `${needed} is in the package`)
  }
  const strays = paths.filter((path) =>
    /^(test|bench|training|server|src|node_modules|dist\/src\/(cli|client|commands))\/|\.tsx?$/.test(path),
  )
  assert.equal(strays, [])
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  await execa('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', join(folder, filename)], {
    cwd: folder,
  })
})
test.after(() => rmSync(folder, { recursive: true, force: true }))

test('it says its version and its commands', async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  assert.match((await pullquote('--version')).stdout, new RegExp(`^pullquote/${version} `))
  assert.match((await pullquote('--help')).stdout, /serve .*Runs the server/)
})

/** As the command finds Node and its user, told by a file that is read before it. */
async function pullquoteWhere(told: string, environment: Record<string, string>, ...args: string[]) {
  const file = join(folder, 'told.cjs')
  writeFileSync(file, `const os = require('node:os')\n${told}\nrequire('node:module').syncBuiltinESMExports()\n`)
  const { PATH, PULLQUOTE_HOME } = env
  return execa(process.execPath, ['--require', file, bin, ...args], {
    cwd: folder,
    env: { PATH, PULLQUOTE_HOME, ...environment },
    extendEnv: false,
    reject: false,
  })
}

test('it runs as a user of whom the system knows neither name nor home, as in a container', async () => {
  const unknown = `
    const fail = () => { throw new Error('uv_os_get_passwd returned ENOENT') }
    os.userInfo = fail
    os.homedir = () => process.env.HOME ?? fail()`
  for (const environment of [{}, { HOME: '' }, { HOME: '/' }]) {
    const { exitCode, stderr } = await pullquoteWhere(unknown, environment, 'projects', '--help')
    assert.is(exitCode, 0, stderr)
  }
})

test('an empty HOME counts as none: nothing is put below the folder that it was started in', async () => {
  const told = "process.on('exit', () => process.stderr.write('home ' + os.homedir()))"
  const { stderr } = await pullquoteWhere(told, { HOME: '' }, '--version')
  assert.match(stderr, /^home \//)
})

test('a Node that is too old is refused in words', async () => {
  for (const version of ['18.20.8', '20.18.3', '21.7.3', '22.11.0']) {
    const old = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`
    const { exitCode, stderr } = await pullquoteWhere(old, {}, '--version')
    assert.is(exitCode, 1)
    assert.is(stderr, `Error: Pullquote needs Node 20.19, 22.12 or newer, and this is ${version}.`)
  }
})

test('what refuses an old Node can be read by it: Ubuntu 22.04 has Node 12', () => {
  // What came after ECMAScript 2020 does not pass, nor these two, which Node 12 cannot read yet.
  const options = { ecmaVersion: 2020, sourceType: 'module', allowHashBang: true } as const
  const source = readFileSync(bin, 'utf8')
  for (const { type } of tokenizer(source, options)) assert.not.ok(['?.', '??'].includes(type.label), type.label)
  parse(source, options)
})

test('the licences of the packages within it stand beside them', () => {
  const path = join(folder, 'node_modules', 'pullquote', 'dist', 'cli', 'THIRD-PARTY-LICENSES.txt')
  const said = readFileSync(path, 'utf8')
  for (const name of ['@oclif/core', 'ejs', 'valibot'])
    assert.match(said, new RegExp(`^${name} [0-9.]+ \\(.+\\)$`, 'm'))
  assert.match(said, /Permission is hereby granted/)
})

test('it serves, takes reviews and answers queries, in a folder of its own', async () => {
  const server = spawn(process.execPath, [bin, 'serve', '--port', '0', '--json'], { cwd: folder, env })
  let output = ''
  const ready = new Promise<void>((resolve, reject) => {
    server.stdout.on('data', (chunk) => {
      output += chunk
      if (output.includes('}')) resolve()
    })
    server.on('close', (code) => reject(new Error(`the server ended with ${code}`)))
  })
  server.stderr.resume()
  try {
    await ready
    const { url } = JSON.parse(output)
    assert.is((await fetch(`${url}/healthz`)).status, 200)
    await pullquote('projects', 'create', 'hotel')
    assert.match((await pullquote('reviews', 'push', sample, '--wait')).stdout, /Pushed 170 reviews/)
    const { results } = JSON.parse((await pullquote('query', 'romantic dinner by candlelight', '--json')).stdout)
    assert.ok(results.length > 0)
  } finally {
    server.kill('SIGTERM')
  }
  assert.is(await new Promise((resolve) => server.on('close', resolve)), 0)
})

test.run()
