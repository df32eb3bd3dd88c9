import { stat } from 'node:fs/promises'
import { BaseCommand } from '../cli/base-command.ts'
import { noSuchFile, usageError } from '../cli/errors/cli-error.ts'
import { requiredArg } from '../cli/flags.ts'
import { type OpeningNotice, writeLineWhenSlow } from '../cli/output/opening-notice.ts'
import { withProgress } from '../cli/output/terminal.ts'
import { restoreHere } from '../client/connect.ts'
import { formatCount, pluralize } from '../contract/counts.ts'

export default class Restore extends BaseCommand {
  static override description =
    `Restores a backup into an empty database: the one in PULLQUOTE_HOME on this machine, or the one at DATABASE_URL.

The whole file is checked first, and then either everything is restored or nothing. No server may be running on that folder. \
Keys keep working, since the backup contains their hashes.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> pullquote-2026-01-31.jsonl.gz',
    'DATABASE_URL=postgres://localhost/reviews <%= config.bin %> <%= command.id %> backup.jsonl.gz   # move to PostgreSQL',
  ]
  static override args = { file: requiredArg('backup to restore') }

  async run(): Promise<{ rows: Record<string, number>; created_at: string; indexing: number; reindexing: boolean }> {
    const { args } = await this.parse(Restore)
    const found = await stat(args.file).catch(() => undefined)
    if (!found) throw noSuchFile(args.file)
    if (!found.isFile())
      throw usageError(`${args.file} is not an ordinary file, and a backup is read twice`, 'save it to a file first')
    const home = process.env.PULLQUOTE_HOME || this.config.dataDir
    let opening: OpeningNotice | undefined
    const restored = await withProgress(this, 'Checking the backup', (progress) =>
      restoreHere({ home, env: process.env }, args.file, {
        onChecked: () => {
          progress.update('Opening the database')
          opening = writeLineWhenSlow(this, progress)
        },
        onRows: (done, total) => {
          opening?.stop()
          progress.update(`Restoring the backup: ${formatCount(done)} of ${formatCount(total)} rows`)
        },
      }),
    ).finally(() => opening?.stop())
    const { projects = 0, reviews = 0 } = restored.rows
    this.log(
      `Restored ${pluralize(projects, 'project')} and ${pluralize(reviews, 'review')}, as of ${restored.created_at}.`,
    )
    if (restored.indexing > 0) this.info(indexingLine(restored))
    return restored
  }
}

function indexingLine({ indexing, reindexing }: { indexing: number; reindexing: boolean }): string {
  return reindexing
    ? 'All of them will be indexed again when a server opens the database, since the backup was made with another embedding model. Until a review is, no search finds it.'
    : `${formatCount(indexing)} of them will be indexed when a server or command opens the database.`
}
