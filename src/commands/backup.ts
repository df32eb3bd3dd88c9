import { Flags } from '@oclif/core'
import { BaseCommand } from '../cli/base-command.ts'
import { interruptedError, isInterruption } from '../cli/errors/cli-error.ts'
import { requiredArg, serverFlags } from '../cli/flags.ts'
import { prepareOutputFile, toOutputFileError } from '../cli/output/output-file.ts'
import { withProgress } from '../cli/output/terminal.ts'
import type { DownloadedBackup } from '../client/backup.ts'
import { pluralize } from '../contract/counts.ts'

export default class Backup extends BaseCommand {
  static override description =
    `Writes everything to one file: projects, keys (as hashes), reviews, their index and usage counts.

The backup is a snapshot of one moment; the server keeps running meanwhile. The file is the same for the embedded database \
and for PostgreSQL, so you can move from one to the other by restoring it there. It contains personal data, and only you can \
read it.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> pullquote-$(date +%F).jsonl.gz',
    '<%= config.bin %> <%= command.id %> backup.jsonl.gz --force --json',
  ]
  static override args = { file: requiredArg('file to write') }
  static override flags = {
    force: Flags.boolean({ description: 'replace the file if it exists', default: false }),
    ...serverFlags,
  }

  async run(): Promise<DownloadedBackup & { file: string }> {
    const { args, flags } = await this.parse(Backup)
    const { file } = args
    const signal = this.interruptSignal
    const replace = await prepareOutputFile(file, { replace: flags.force, mayAsk: !this.jsonEnabled(), signal })
    const summary = await this.withOperator(flags, (operator) =>
      withProgress(this, 'Writing the backup', ({ update }) => {
        const onBytes = (bytes: number, total: number) =>
          update(`Downloading the backup: ${megabytes(bytes)} of ${megabytes(total)}`)
        return operator.backup(file, { signal, replace, onBytes })
      }),
    ).catch((error: unknown) => {
      if (isInterruption(error)) throw interruptedError(`interrupted; ${file} was not written`)
      throw toOutputFileError(error, file)
    })
    const { projects = 0, reviews = 0 } = summary.rows
    this.log(
      `Wrote ${file}: ${pluralize(projects, 'project')}, ${pluralize(reviews, 'review')}, ${megabytes(summary.bytes)}.`,
    )
    if (projects === 0) {
      this.info('The backup contains no project. Check that PULLQUOTE_HOME, DATABASE_URL or --url is the right one.')
    }
    return { ...summary, file }
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
