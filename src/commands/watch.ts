import { once } from 'node:events'
import { Flags } from '@oclif/core'
import { BaseCommand } from '../cli/base-command.ts'
import type { ConnectionFlags } from '../cli/connection/settings.ts'
import { CliError, EXIT, interruptedError, isInterruption, toCliError } from '../cli/errors/cli-error.ts'
import { clientFlags, requiredArg } from '../cli/flags.ts'
import { loadMapping } from '../cli/import/saved-mappings.ts'
import { importInput } from '../cli/import/upload.ts'
import { oneLine, printableJson } from '../cli/output/text.ts'
import { waitForIndexing } from '../cli/reviews/wait-for-indexing.ts'
import { notReadyLine } from '../cli/watch/not-ready.ts'
import { openWatchedFolder } from '../cli/watch/open-folder.ts'
import { FolderWatch } from '../cli/watch/watch-folder.ts'
import type { WatchEvent } from '../cli/watch/watch-log.ts'
import { pluralize } from '../contract/counts.ts'

export default class Watch extends BaseCommand {
  static override description = `Imports every file that is put into a folder, until it is stopped.

Once a file no longer changes, it is imported and moved to imported/ or failed/, with a report beside it. The folders live/ \
and test/ stand for the environments. Files in a folder that is named after a saved mapping, or that contains a \
mapping.json, are read with that mapping.

With --once the exit code is 1 if a file was not imported. --json prints one line of JSON for each file.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> inbox',
    '<%= config.bin %> <%= command.id %> inbox --mapping shop --env test',
    '<%= config.bin %> <%= command.id %> inbox --once   # for a scheduled job',
  ]
  static override args = { folder: requiredArg('folder to watch; created if it does not exist') }
  static override flags = {
    mapping: Flags.string({
      description: 'saved mapping for files that are not in a folder with a mapping of its own',
      helpValue: 'NAME',
    }),
    once: Flags.boolean({ description: 'import the files that are there, then stop', default: false }),
    ...clientFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Watch)
    const dir = await openWatchedFolder(args.folder)
    const { configDir } = this.config
    const defaultOptions = flags.mapping === undefined ? {} : await loadMapping(configDir, flags.mapping)
    const signal = this.interruptSignal
    await this.checkConnection(flags)
    const last = new Map<string, WatchEvent['outcome']>()
    const folder = new FolderWatch(dir, {
      configDir,
      log: (line) => this.writeStderr(line),
      onEvent: (event) => {
        last.set(event.file, event.outcome)
        if (this.jsonEnabled()) process.stdout.write(`${printableJson(event)}\n`)
      },
      // One connection per file, since the server may restart in between.
      importFile: (file, { env, options = defaultOptions }, errorsPath) =>
        this.withClient({ ...flags, env: env ?? flags.env, envFrom: env && `the folder ${env}` }, async (session) => {
          const { client } = session
          const report = await importInput(file, { client, options, dryRun: false, errorsPath, signal })
          await waitForIndexing(session, signal, this)
          return report
        }),
    })
    try {
      if (!flags.once) {
        this.info(`Watching ${dir}. Press Ctrl-C to stop.`)
        if (!signal.aborted) await once(signal, 'abort')
        return
      }
      await Promise.race([folder.ready.then(() => folder.idle()), once(signal, 'abort')])
    } finally {
      await folder.close()
    }
    if (signal.aborted) throw interruptedError('interrupted; files that are not imported yet are still where they were')
    const open = [...last].filter(([, outcome]) => outcome !== 'imported').map(([file]) => file)
    if (open.length === 0) return
    const what = `${pluralize(open.length, 'file')} not imported: ${open.slice(0, 10).map(oneLine).join(', ')}`
    throw new CliError(open.length > 10 ? `${what} …` : what, { code: 'not_imported' })
  }

  /** Fails early on a rejected key; a server or project that is missing may still appear. */
  private async checkConnection({ once, ...connection }: ConnectionFlags & { once: boolean }): Promise<void> {
    // A scheduled job with nothing to import need not open the database; its first file would reveal a problem.
    if (once && (await this.settings(connection)).key === undefined) return
    try {
      await this.withClient(connection, ({ client }) => client.whoami())
    } catch (error) {
      const { exitCode } = toCliError(error)
      if (exitCode === EXIT.authentication || exitCode === EXIT.usage || isInterruption(error)) throw error
      this.writeStderr(oneLine(notReadyLine(error)))
    }
  }
}
