/**
 * How long `pullquote --help`, and a query against a server on this machine, take beside `node -e 0` and a command line of
 * one empty command on the same oclif: `npm run bench:start-up`. All run from built JavaScript with a manifest, as
 * installed, in turns; processor time is the command's own (as bash's `time` counts it), which other work disturbs less.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'

const root = join(import.meta.dirname, '..')
const ROUNDS = 21
const folder = mkdtempSync(join(tmpdir(), 'pullquote-start-up-'))
const oclif = join(createRequire(import.meta.url).resolve('oclif/package.json'), '..', 'bin', 'run.js')
// No profile, no server and no database of this machine.
const env = {
  PATH: process.env.PATH,
  PULLQUOTE_HOME: join(folder, 'home'),
  XDG_CONFIG_HOME: folder,
  XDG_CACHE_HOME: folder,
  PULLQUOTE_LOG_LEVEL: 'error',
  TIMEFORMAT: '%U %S',
}
const modules = join(root, 'node_modules')

/** The package as it is installed. */
function installed(): string {
  const home = join(folder, 'pullquote')
  mkdirSync(join(home, 'bin'), { recursive: true })
  cpSync(join(root, 'dist'), join(home, 'dist'), { recursive: true })
  for (const name of ['package.json', join('bin', 'run.js')]) cpSync(join(root, name), join(home, name))
  symlinkSync(modules, join(home, 'node_modules'), 'junction')
  return join(home, 'bin', 'run.js')
}

/** One command that does nothing, as oclif's own template makes it. */
function empty(): string {
  const home = join(folder, 'empty')
  const put = (name: string, text: string) => writeFileSync(join(home, name), text)
  mkdirSync(join(home, 'bin'), { recursive: true })
  mkdirSync(join(home, 'commands'))
  const described = { bin: 'empty', commands: './commands' }
  const pjson = { name: 'empty', version: '0.0.0', type: 'module', files: ['commands'], oclif: described }
  put('package.json', JSON.stringify(pjson))
  const body = '{ async run() { await this.parse(Nothing) } }'
  put(
    join('commands', 'nothing.js'),
    `import { Command } from '@oclif/core'\nexport default class Nothing extends Command ${body}\n`,
  )
  put(
    join('bin', 'run.js'),
    `import { execute } from '@oclif/core'\nprocess.env.OCLIF_DISABLE_ENGINE_WARNING = '1'\nawait execute({ dir: import.meta.url })\n`,
  )
  symlinkSync(modules, join(home, 'node_modules'), 'junction')
  run(home, oclif, 'manifest')
  return join(home, 'bin', 'run.js')
}

interface Taken {
  wallMs: number
  processorMs: number
}

/** Runs Node with these arguments, and fails as it does. */
function run(cwd: string, ...args: string[]): Taken {
  const started = performance.now()
  const script = 'time "$0" "$@" > /dev/null 2>&1'
  const { status, stderr } = spawnSync('bash', ['--norc', '-c', script, process.execPath, ...args], { cwd, env })
  const wallMs = performance.now() - started
  if (status !== 0) throw new Error(`exit ${status}: ${args.join(' ')}`)
  const [user = Number.NaN, system = Number.NaN] = stderr.toString().trim().split(' ').map(Number)
  return { wallMs, processorMs: (user + system) * 1000 }
}

/** A server of its own on a free port, which commands find by its home. */
function serving(bin: string): Promise<ReturnType<typeof spawn>> {
  const child = spawn(process.execPath, [bin, 'serve', '--port', '0', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', () => resolve(child))
    child.once('exit', () => reject(new Error('the server ended')))
  })
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

let server: ReturnType<typeof spawn> | undefined
try {
  const nothing = empty()
  const pullquote = installed()
  run(folder, pullquote, 'projects', 'create', 'bench')
  run(folder, pullquote, 'reviews', 'push', join(root, 'templates', 'demo', 'reviews.json'), '--wait')
  server = await serving(pullquote)
  const subjects = [
    ['node -e 0', '-e', '0'],
    ['an empty oclif command', nothing, 'nothing'],
    ['pullquote --version', pullquote, '--version'],
    ['pullquote --help', pullquote, '--help'],
    ['pullquote query --help', pullquote, 'query', '--help'],
    ['pullquote profiles list', pullquote, 'profiles', 'list'],
    ['pullquote query sauna', pullquote, 'query', 'sauna'],
  ].map(([name = '', ...args]) => ({ name, args, taken: [] as Taken[] }))
  for (let round = 0; round < ROUNDS; round++) {
    for (const { args, taken } of subjects) taken.push(run(folder, ...args))
  }
  const of = (taken: readonly Taken[], what: keyof Taken) => median(taken.map((one) => one[what]))
  const { version } = JSON.parse(readFileSync(join(modules, '@oclif', 'core', 'package.json'), 'utf8'))
  console.log(`@oclif/core ${version}, Node ${process.versions.node}, medians of ${ROUNDS}`)
  console.log(`${''.padEnd(24)} processor time      wall clock`)
  const [baseline] = subjects
  for (const { name, taken } of subjects) {
    const cells = (['processorMs', 'wallMs'] as const).map((what) => {
      const ms = of(taken, what)
      return `${ms.toFixed(0).padStart(5)} ms ${(ms / of(baseline?.taken ?? [], what)).toFixed(2).padStart(5)} x`
    })
    console.log(`${name.padEnd(24)} ${cells.join('   ')}`)
  }
} finally {
  if (server) {
    const ended = once(server, 'exit')
    server.kill('SIGTERM')
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
}
