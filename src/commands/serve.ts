import { once } from 'node:events'
import { resolve } from 'node:path'
import { Flags } from '@oclif/core'
import type { RunningServer } from '../../server/start.ts'
import { BaseCommand } from '../cli/base-command.ts'
import { EXIT } from '../cli/errors/cli-error.ts'
import { openWatchedFolder } from '../cli/watch/open-folder.ts'
import { createOperator } from '../client/operator.ts'

export default class Serve extends BaseCommand {
  static override description = `Runs the server until it is stopped.

By default the data is in an embedded database in PULLQUOTE_HOME. Set DATABASE_URL to keep it in PostgreSQL instead. \
On SIGINT or SIGTERM the server finishes what is in progress, then stops; a second signal stops it at once.`
  static override examples = [
    '<%= config.bin %> serve',
    '<%= config.bin %> serve --host 0.0.0.0 --port 80',
    'DATABASE_URL=postgres://localhost/reviews <%= config.bin %> serve',
  ]
  static override flags = {
    host: Flags.string({ description: 'address to listen on; default: 127.0.0.1 [env: PULLQUOTE_HOST]' }),
    port: Flags.integer({
      description: 'port to listen on, 0 for any free one; default: 8787 [env: PULLQUOTE_PORT]',
      min: 0,
      max: 65_535,
    }),
    demo: Flags.boolean({
      description: 'show the pages at /demo to everyone, not only to this machine [env: PULLQUOTE_DEMO]',
    }),
    'demo-project': Flags.string({
      description: "project that /demo shows; default: the demo's own [env: PULLQUOTE_DEMO_PROJECT]",
      helpValue: 'NAME',
    }),
    console: Flags.boolean({
      description:
        'let others use the console at /console, with links from `pullquote console` [env: PULLQUOTE_CONSOLE]',
    }),
    watch: Flags.string({
      description: 'import every file that is put into this folder; see `pullquote watch --help`',
      helpValue: 'DIR',
    }),
    project: Flags.string({
      description: 'project for --watch; default: the only one [env: PULLQUOTE_PROJECT]',
      helpValue: 'NAME',
      dependsOn: ['watch'],
    }),
  }

  protected override readonly secondSignalCode = EXIT.failed

  async run(): Promise<void> {
    const { flags } = await this.parse(Serve)
    const [{ startServer }, { readConfig }] = await Promise.all([
      import('../../server/start.ts'),
      import('../../server/config.ts'),
    ])
    const home = process.env.PULLQUOTE_HOME || this.config.dataDir
    const { host, port, demo, console, 'demo-project': demoProject } = flags
    const dir = flags.watch === undefined ? undefined : await openWatchedFolder(flags.watch)
    const config = readConfig(process.env, { home, host, port, demo, console, demoProject })
    // pm2 listens on an IPC channel in this process, which would keep it alive after the stop.
    process.channel?.unref()
    // Taken before the start, so that a signal also ends the wait for an unreachable database.
    const signal = this.interruptSignal
    let server: RunningServer
    try {
      server = await startServer(config, { signal })
    } catch (error) {
      if (!signal.aborted) throw error
      this.info('Stopped before the server was ready.')
      return
    }
    if (signal.aborted) return server.close()
    if (this.jsonEnabled()) this.logJson({ url: server.url, pid: process.pid, home: resolve(home) })
    // Not the value of DATABASE_URL, which may contain a password.
    else
      this.log(
        `Pullquote serves at ${server.url} (data: ${config.databaseUrl === undefined ? resolve(home) : 'DATABASE_URL'})`,
      )
    if (process.stderr.isTTY) this.info(await nextStep(server, this.config.bin))
    const folder = dir === undefined ? undefined : await this.watch(dir, flags.project, server, home)
    if (!signal.aborted) await once(signal, 'abort')
    await folder?.close()
    await server.close()
  }

  private async watch(dir: string, project: string | undefined, server: RunningServer, home: string) {
    const { watchForServer } = await import('../cli/watch/serve-watch.ts')
    const folder = watchForServer(dir, server, {
      home,
      project: project ?? (process.env.PULLQUOTE_PROJECT || undefined),
      configDir: this.config.configDir,
      log: (line) => this.writeStderr(line),
    })
    this.info(`Watching ${dir}.`)
    return folder
  }
}

/** A hint for the next step, depending on what exists already. */
async function nextStep(server: RunningServer, bin: string): Promise<string> {
  const { fetch, operatorToken, url: baseUrl } = server
  const projects = await createOperator({ fetch, operatorToken, baseUrl })
    .projects()
    .catch(() => [])
  const [first] = projects
  const isEmpty = projects.every(({ reviews }) => reviews.live + reviews.test === 0)
  const step = !first ? 'projects create NAME' : isEmpty ? 'reviews import FILE' : 'query "what visitors ask"'
  return `Next, in another terminal: ${bin} ${step}   (Ctrl-C here stops the server)`
}
