/** Runs the shell blocks of a page as a reader would: in order, in one folder, each with the exports of earlier ones. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import * as v from 'valibot'
import { CLI } from '../cli/run-cli.ts'
import { copyTemplateInto } from '../database.ts'
import { until } from '../waiting.ts'
import type { Answer } from './shown-answer.ts'

/** The address that the pages write; here the server listens on a free port. */
const WRITTEN_ADDRESS = 'http://127.0.0.1:8787'

export interface Ran {
  code: number | undefined
  stdout: string
  stderr: string
  /** What curl received, in order. */
  answers: Answer[]
}

export interface Shell {
  /** The folder of the reader. */
  dir: string
  run(script: string): Promise<Ran>
  /** Waits until everything pushed is indexed, which the pages promise within seconds. */
  indexed(): Promise<void>
  close(): Promise<void>
}

// `pullquote serve` stays in the foreground of a reader's terminal; here it moves to the background once it is serving.
const PULLQUOTE = `#!/usr/bin/env bash
if [ "\${1:-}" != serve ]; then exec node ${CLI} "$@"; fi
node ${CLI} "$@" > "$SHELL_DIR/serve.out" 2> "$SHELL_DIR/serve.log" &
echo $! > "$SHELL_DIR/serve.pid"
until grep -q 'serves at' "$SHELL_DIR/serve.out"; do
  kill -0 $! 2>/dev/null || { cat "$SHELL_DIR/serve.log" >&2; exit 1; }
  sleep 0.05
done
cat "$SHELL_DIR/serve.out"
`
const NPX = `#!/usr/bin/env bash
[ "\${1:-}" = pullquote ] && shift && exec pullquote "$@"
echo "npx $1 is not for this test" >&2; exit 1
`
const NPM = `#!/usr/bin/env bash
[ "$*" = start ] && exec pullquote serve
echo "npm $* is not for this test" >&2; exit 1
`
const curl = (path: string) => `#!/usr/bin/env bash
set -o pipefail
n=$(printf %03d $(ls "$SHELL_DIR/curl" | grep -c headers))
${path} --silent --show-error --max-time 30 --dump-header "$SHELL_DIR/curl/$n.headers" "$@" | tee "$SHELL_DIR/curl/$n.body"
`

/** An empty home with a migrated database, and the commands of this checkout. */
export async function openShell(env: Record<string, string> = {}): Promise<Shell> {
  const base = mkdtempSync(join(tmpdir(), 'pullquote-docs-'))
  const at = (name: string) => join(base, name)
  for (const name of ['bin', 'curl', 'reader']) mkdirSync(at(name))
  await copyTemplateInto(at('home'))
  const curlPath = (await execa('which', ['curl'])).stdout
  const commands = { pullquote: PULLQUOTE, npx: NPX, npm: NPM, curl: curl(curlPath) }
  for (const [name, text] of Object.entries(commands)) {
    writeFileSync(join(at('bin'), name), text)
    chmodSync(join(at('bin'), name), 0o755)
  }
  const environment = {
    PATH: `${at('bin')}:${process.env.PATH}`,
    HOME: base,
    XDG_CONFIG_HOME: at('config'),
    PULLQUOTE_HOME: at('home'),
    PULLQUOTE_PORT: '0',
    NODE_NO_WARNINGS: '1',
    SHELL_DIR: base,
    ...env,
  }
  const url = () =>
    existsSync(at('serve.out')) ? /http:\S+/.exec(readFileSync(at('serve.out'), 'utf8'))?.[0] : undefined
  let seen = 0
  return {
    dir: at('reader'),
    async run(script) {
      const text = script.replaceAll(WRITTEN_ADDRESS, url() ?? WRITTEN_ADDRESS)
      const carried = at('exports.sh')
      const { exitCode, stdout, stderr } = await execa(
        'bash',
        ['-c', `set -euo pipefail\n[ ! -f ${carried} ] || . ${carried}\n${text}\nexport -p > ${carried}`],
        { cwd: at('reader'), env: environment, extendEnv: false, reject: false, stdin: 'ignore', timeout: 150_000 },
      )
      const answers = readAnswers(at('curl'))
      const ran = { code: exitCode, stdout, stderr, answers: answers.slice(seen) }
      seen = answers.length
      return ran
    },
    async indexed() {
      const address = url()
      if (address === undefined) return
      await until('everything is indexed', async () => {
        const { queue } = v.parse(readiness, await (await fetch(`${address}/readyz`)).json())
        return queue.queued + queue.running === 0
      })
    },
    async close() {
      if (existsSync(at('serve.pid'))) await end(Number(readFileSync(at('serve.pid'), 'utf8')))
      rmSync(base, { recursive: true, force: true })
    },
  }
}

const readiness = v.object({ queue: v.object({ queued: v.number(), running: v.number() }) })

function readAnswers(dir: string): Answer[] {
  const files = readdirSync(dir).filter((name) => name.endsWith('.headers'))
  return files.sort().map((name) => {
    const [statusLine = '', ...lines] = readFileSync(join(dir, name), 'utf8').trim().split('\r\n')
    const body = readFileSync(join(dir, name.replace('headers', 'body')), 'utf8')
    return {
      status: Number(statusLine.split(' ')[1]),
      headers: new Headers(
        lines.map((line): [string, string] => [line.replace(/:.*/, ''), line.replace(/^[^:]*: */, '')]),
      ),
      // With -i the headers come before the body.
      body: body.startsWith('HTTP/1.1 ') ? body.slice(body.indexOf('\r\n\r\n') + 4) : body,
    }
  })
}

async function end(pid: number): Promise<void> {
  process.kill(pid, 'SIGTERM')
  await until('the server has ended', () => {
    try {
      process.kill(pid, 0)
      return false
    } catch {
      return true
    }
  }).catch((error: unknown) => {
    process.kill(pid, 'SIGKILL')
    throw error
  })
}
