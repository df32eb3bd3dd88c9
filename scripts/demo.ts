/**
 * `npm run demo`: fills an embedded database in its own folder with the sample reviews of a made-up hotel, runs three
 * queries, and serves until Ctrl-C; with `--once` it ends after the queries. It runs and prints the commands that users
 * would.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { isatty } from 'node:tty'
import * as v from 'valibot'

const root = join(import.meta.dirname, '..')
const home = join(root, '.pullquote-demo')
const project = 'tarnholm-lake-hotel'
const sample = join('templates', 'demo', 'reviews.json')
const queries = [
  ['romantic dinner by candlelight', '--limit', '3'],
  ['good for small children', '--limit', '3', '--min-rating', '5'],
  ['sauna with a view of the lake', '--limit', '3'],
]

// Settings of this shell (a profile, another server, a real database) must not leak into the demo.
const env: NodeJS.ProcessEnv = { ...process.env, PULLQUOTE_HOME: home, XDG_CONFIG_HOME: join(home, 'config') }
for (const name of Object.keys(env)) {
  if (name === 'DATABASE_URL' || (name.startsWith('PULLQUOTE_') && name !== 'PULLQUOTE_HOME')) delete env[name]
}
// Otherwise the server's request log would appear between the results.
env.PULLQUOTE_LOG_LEVEL = 'warn'

type Stdio = 'inherit' | 'pipe'

const children = new Set<ChildProcess>()
/** The exit code for the signal that came, by shell convention. */
let endedBy: number | undefined

class Interrupted extends Error {}

function pullquote(args: string[], stdout: Stdio) {
  if (endedBy !== undefined) throw new Interrupted()
  const child = spawn(process.execPath, [join('bin', 'run.js'), ...args], {
    cwd: root,
    env,
    stdio: ['ignore', stdout, 'inherit'],
  })
  children.add(child)
  child.once('close', () => children.delete(child))
  return child
}

function stop() {
  // With Ctrl-C they got the signal from the terminal as well, but not if only this process was signalled. What comes twice
  // in a moment is one signal to them.
  for (const child of children) child.kill('SIGTERM')
}

function end(code: number) {
  endedBy ??= code
  stop()
}
process.on('SIGINT', () => end(130))
process.on('SIGTERM', () => end(143))
// npm passes SIGTERM to its shell, which ends without passing it on.
const parent = process.ppid
const orphaned = setInterval(() => {
  if (process.ppid === parent) return
  clearInterval(orphaned)
  end(143)
}, 500).unref()
// Without a terminal it is ignored: nohup ignores it for its child, and Node undoes that.
if ([0, 1, 2].some((fd) => isatty(fd))) process.on('SIGHUP', () => end(129))

/** Runs a command. @returns its output with `stdout` set to `pipe` */
async function run(args: string[], stdout: Stdio = 'inherit'): Promise<string> {
  const child = pullquote(args, stdout)
  let output = ''
  child.stdout?.on('data', (chunk) => {
    output += chunk
  })
  const [code] = await once(child, 'close')
  if (endedBy !== undefined) throw new Interrupted()
  if (code !== 0) throw new Error(`pullquote ${args.join(' ')} ended with exit code ${code}`)
  return output
}

function shown(args: string[]): string[] {
  const words = args.map((word) => (/^[\w./-]+$/.test(word) ? word : `"${word}"`))
  console.log(`\n$ pullquote ${words.join(' ')}`)
  return args
}

const started = v.pipe(v.string(), v.parseJson(), v.looseObject({ url: v.string() }))

interface Server {
  url: string
  /** Resolves with its exit code. */
  closed: Promise<number | null>
}

async function serve(port: string): Promise<Server> {
  const child = pullquote(['serve', '--port', port, '--json'], 'pipe')
  if (!child.stdout) throw new Error('the server has no output')
  const closed = once(child, 'close').then(([code]): number | null => code)
  let text = ''
  const ready = new Promise<string>((resolve) => {
    if (!child.stdout) return
    createInterface(child.stdout).on('line', (line) => {
      text += line
      const checked = v.safeParse(started, text)
      if (checked.success) resolve(checked.output.url)
    })
  })
  const url = await Promise.race([ready, closed.then(() => undefined)])
  if (endedBy !== undefined) throw new Interrupted()
  if (url === undefined) throw new Error('The server did not start.')
  return { url, closed }
}

/** The wanted port, or `0` (any free one) when it is taken. */
function freePort(wanted: number): Promise<string> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve('0'))
    probe.listen(wanted, '127.0.0.1', () => probe.close(() => resolve(String(wanted))))
  })
}

/** @returns the server, once the sample is in it and was searched */
async function prepare(): Promise<Server> {
  const server = await serve(await freePort(8787))
  const { url } = server
  const list = v.pipe(
    v.string(),
    v.parseJson(),
    v.looseObject({ projects: v.array(v.looseObject({ name: v.string() })) }),
  )
  const { projects } = v.parse(list, await run(['projects', 'list', '--json'], 'pipe'))
  // The port may differ from last time, and browsers may use either name of this machine.
  const origins = ['--origin', url, '--origin', url.replace('127.0.0.1', 'localhost')]
  if (!projects.some(({ name }) => name === project)) await run(shown(['projects', 'create', project, ...origins]))
  else await run(['projects', 'set', project, ...origins], 'pipe')
  await run(shown(['reviews', 'push', sample, '--wait']))
  for (const query of queries) await run(shown(['query', ...query]))
  return server
}

console.log(`Pullquote demo: a made-up lake hotel, in ${home}`)
try {
  const { url, closed } = await prepare()
  if (process.argv.includes('--once')) stop()
  else {
    console.log(`\nSample pages with the snippet: ${url}/demo`)
    console.log(`The demo serves at ${url} until Ctrl-C. In another terminal, for example:`)
    console.log(`  PULLQUOTE_HOME=${home} node bin/run.js query "sauna with a view"`)
  }
  if ((await closed) !== 0) process.exitCode = 1
} catch (error) {
  const stopped = error instanceof Interrupted ? 'Stopped before the demo was ready.' : undefined
  console.error(stopped ?? (error instanceof Error ? error.message : error))
  process.exitCode = endedBy ?? 1
  stop()
}
