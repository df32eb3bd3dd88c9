/** Starts the proxies of the templates in front of a server, replacing in them only what a test machine requires. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execaSync } from 'execa'
import { freePort } from '../free-port.ts'
import { until } from '../waiting.ts'
import { requireTool, TEMPLATES } from './checkers.ts'

export const HOST = 'reviews.example.com'

export interface RunningProxy {
  port: number
  stop(): Promise<void>
}

interface Place {
  /** Where the proxy listens; the template's own ports unless given. */
  port?: number
  /** `host:port` of the server. */
  upstream?: string
}

/** The template with each of the texts replaced. @throws when one is missing: the template changed, and the test must too */
function adapted(name: string, replacements: [string, string][]): string {
  let text = readFileSync(join(TEMPLATES, name), 'utf8')
  for (const [from, to] of replacements) {
    if (!text.includes(from)) throw new Error(`${name} has no "${from}"`)
    text = text.replaceAll(from, to)
  }
  return text
}

/** A self-signed certificate for {@link HOST}. */
export function certificate(dir: string): { cert: string; key: string } {
  const [cert, key] = [join(dir, 'cert.pem'), join(dir, 'key.pem')]
  const subject = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`]
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  if (!existsSync(cert)) execaSync('openssl', [...args, ...subject, '-keyout', key, '-out', cert])
  return { cert, key }
}

/** Writes the site of the template and a main configuration around it; returns its path. */
export function writeNginxSite(dir: string, { port, upstream }: Place = {}): string {
  // When it runs as root, its workers are another user.
  chmodSync(dir, 0o755)
  const { cert, key } = certificate(dir)
  const certificates: [string, string][] = [
    [`/etc/letsencrypt/live/${HOST}/fullchain.pem`, cert],
    [`/etc/letsencrypt/live/${HOST}/privkey.pem`, key],
  ]
  const listen: [string, string][] = [
    ['listen [::]:443 ssl;', ''],
    ['listen 443 ssl;', `listen 127.0.0.1:${port ?? 0} ssl;`],
  ]
  const server: [string, string][] = upstream === undefined ? [] : [['server 127.0.0.1:8787;', `server ${upstream};`]]
  const replaced = [...certificates, ...(port === undefined ? [] : listen), ...server, cacheFolder(dir)]
  return writeMain(dir, 'nginx', adapted('nginx.conf', replaced))
}

/** Where distributions let only root write. */
function cacheFolder(dir: string): [string, string] {
  return ['/var/cache/pullquote', join(dir, 'cache')]
}

/** The cache that stands between a proxy and the server; returns the path of its main configuration. */
export function writeNginxCache(dir: string, { port, upstream }: Place): string {
  chmodSync(dir, 0o755)
  const server: [string, string][] = upstream === undefined ? [] : [['server 127.0.0.1:8787;', `server ${upstream};`]]
  const listen: [string, string] = ['listen 127.0.0.1:8788;', `listen 127.0.0.1:${port};`]
  return writeMain(dir, 'nginx-cache', adapted('nginx-cache.conf', [listen, ...server, cacheFolder(dir)]))
}

/** A main configuration around a site, as distributions have one. */
function writeMain(dir: string, name: string, content: string): string {
  const site = join(dir, `${name}-site.conf`)
  writeFileSync(site, content)
  const main = join(dir, `${name}.conf`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${dir}/${kind};`,
  )
  writeFileSync(
    main,
    `pid ${dir}/${name}.pid;\nerror_log ${dir}/error.log;\nevents {}\nhttp {\naccess_log off;\n${temporary.join('\n')}\ninclude ${site};\n}\n`,
  )
  return main
}

/** nginx with the template before the server at `upstream`. */
export async function startNginx(dir: string, upstream: string): Promise<RunningProxy> {
  const port = await freePort()
  const main = writeNginxSite(dir, { port, upstream })
  return started(requireTool('nginx'), ['-c', main, '-g', 'daemon off;'], dir, port)
}

/** Caddy before the cache of the template before the server at `upstream`. */
export async function startCaddyWithCache(dir: string, upstream: string): Promise<RunningProxy> {
  const port = await freePort()
  const main = writeNginxCache(dir, { port, upstream })
  const cache = await started(requireTool('nginx'), ['-c', main, '-g', 'daemon off;'], dir, port)
  const caddy = await startCaddy(dir, `127.0.0.1:${port}`)
  return {
    port: caddy.port,
    async stop() {
      await caddy.stop()
      await cache.stop()
    },
  }
}

/** Caddy with the template before the server at `upstream`, with a certificate of the test's. */
export async function startCaddy(dir: string, upstream: string): Promise<RunningProxy> {
  const port = await freePort()
  const { cert, key } = certificate(dir)
  const file = join(dir, 'Caddyfile')
  const site = adapted('Caddyfile', [
    [`\n${HOST} {`, `\n${HOST}:${port} {\n\tbind 127.0.0.1\n\ttls ${cert} ${key}\n`],
    ['reverse_proxy 127.0.0.1:8787', `reverse_proxy ${upstream}`],
  ])
  writeFileSync(file, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`)
  return started(requireTool('caddy'), ['run', '--config', file, '--adapter', 'caddyfile'], dir, port)
}

async function started(program: string, args: string[], dir: string, port: number): Promise<RunningProxy> {
  const env = { ...process.env, HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir }
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said += chunk
    })
  }
  await until(`${program} listens`, async () => {
    if (child.exitCode !== null) throw new Error(`${program} does not listen: ${said}`)
    return accepts(port)
  })
  return { port, stop: () => stopped(child) }
}

function accepts(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  )
}

async function stopped(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}
