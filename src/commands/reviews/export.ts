import { existsSync } from 'node:fs'
import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../cli/base-command.ts'
import { usageError } from '../../cli/errors/cli-error.ts'
import { allReviews, exportFormat, exportName, exportPieces, writeExport } from '../../cli/export/export-files.ts'
import { clientFlags, sourceFlag } from '../../cli/flags.ts'
import { prepareOutputFile, toOutputFileError } from '../../cli/output/output-file.ts'
import { withProgress } from '../../cli/output/terminal.ts'
import { printable } from '../../cli/output/text.ts'
import { formatCount, pluralize } from '../../contract/counts.ts'
import type { ExportedReview } from '../../importer/write/export.ts'

/** The count and the paths when files are written, otherwise the reviews themselves. */
type ExportAnswer = { reviews: number; files: string[] } | { reviews: ExportedReview[] }

export default class ReviewsExport extends BaseCommand {
  static override description =
    `Exports all reviews as CSV or JSON lines, including hidden ones and which of their sentences are hidden.

\`reviews import\` reads the result back into the same reviews. A file that would be too large to import is split into \
several; only you can read them. In CSV, cells that a spreadsheet would run as a formula begin with an apostrophe, which the \
import removes. With --json and no file, the reviews are printed as one JSON object.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> reviews.csv',
    '<%= config.bin %> <%= command.id %> reviews.jsonl --env test --force',
    '<%= config.bin %> <%= command.id %> --format jsonl | gzip > reviews.jsonl.gz',
    '<%= config.bin %> <%= command.id %> --json | jq ".reviews[].text"',
  ]
  static override args = {
    file: Args.string({ ignoreStdin: true, description: 'file to write; if left out or -, standard output' }),
  }
  static override flags = {
    format: Flags.option({
      description: 'default: by the file name extension (.csv, .jsonl, .ndjson); csv for standard output',
      options: ['csv', 'jsonl'] as const,
    })(),
    source: sourceFlag('only reviews from this source'),
    force: Flags.boolean({ description: 'replace the file if it exists', default: false }),
    ...clientFlags,
  }

  async run(): Promise<ExportAnswer> {
    const { args, flags } = await this.parse(ReviewsExport)
    const file = args.file === '-' ? undefined : args.file
    if (file === undefined && this.jsonEnabled() && flags.format !== undefined) {
      throw usageError('--format cannot be used with --json if no file is given', 'leave one of them out')
    }
    const format = exportFormat(file, flags.format)
    const replace =
      file !== undefined &&
      (await prepareOutputFile(file, {
        replace: flags.force,
        mayAsk: !this.jsonEnabled(),
        signal: this.interruptSignal,
      }))
    const reviews = await this.withClient(flags, ({ client }) =>
      withProgress(this, 'Reading the reviews', (progress) => {
        const onPage = (count: number) => progress.update(`Reading the reviews: ${formatCount(count)}`)
        return allReviews(client, { source: flags.source, signal: this.interruptSignal, onPage })
      }),
    )
    if (file === undefined) {
      if (this.jsonEnabled()) return { reviews }
      // Standard output is a single file of any size; the reader may split it.
      for (const { text } of exportPieces(reviews, format, Number.POSITIVE_INFINITY))
        await this.writeStdout(this.terminal.interactive ? printable(text) : text)
      return { reviews }
    }
    const files = await writeExport(file, reviews, format, { replace }).catch((error: unknown) => {
      throw toOutputFileError(error, file)
    })
    this.log(`Wrote ${pluralize(reviews.length, 'review')} to ${files.join(', ')}.`)
    const next = exportName(file, files.length + 1)
    if (existsSync(next))
      this.writeStderr(`Note: ${next} is not part of this export; it is left from an earlier, longer one.`)
    return { reviews: reviews.length, files }
  }
}
