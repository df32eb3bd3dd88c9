import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../cli/base-command.ts'
import { clientFlags, sourceFlag } from '../../cli/flags.ts'
import { allReviews, exportPieces, writeExport } from '../../cli/import/export-files.ts'

interface ExportAnswer {
  reviews: number
  files: string[]
}

export default class ReviewsExport extends BaseCommand {
  static override description = `Writes all reviews back as CSV or JSON lines, hidden ones included.

What comes out goes in again with \`reviews import\` to the same rows. A file that would be too large for an import is cut
into several. Cells of the CSV that a spreadsheet would run as a formula begin with an apostrophe; the import takes it off.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> reviews.csv',
    '<%= config.bin %> <%= command.id %> reviews.jsonl --env test',
    '<%= config.bin %> <%= command.id %> --format jsonl | gzip > reviews.jsonl.gz',
  ]
  static override args = { file: Args.string({ description: 'file to write; standard output without it' }) }
  static override flags = {
    format: Flags.option({
      description: 'default: by the name of the file, else csv',
      options: ['csv', 'jsonl'] as const,
    })(),
    source: sourceFlag('of this source only'),
    ...clientFlags,
  }

  async run(): Promise<ExportAnswer> {
    const { args, flags } = await this.parse(ReviewsExport)
    const format = flags.format ?? (/\.(?:jsonl|ndjson)$/i.test(args.file ?? '') ? 'jsonl' : 'csv')
    const reviews = await this.withClient(flags, async ({ client }) => {
      const progress = this.progress('Reading the reviews')
      try {
        return await allReviews(client, {
          source: flags.source,
          signal: this.interruptSignal,
          onPage: (count) => progress.update(`Reading the reviews: ${count.toLocaleString('en')}`),
        })
      } finally {
        progress.stop()
      }
    })
    if (args.file === undefined) {
      // One stream is one file, whatever its size: what reads it may cut it as it likes.
      if (!this.jsonEnabled())
        for (const { text } of exportPieces(reviews, format, Number.POSITIVE_INFINITY)) await written(text)
      return { reviews: reviews.length, files: [] }
    }
    const files = await writeExport(args.file, reviews, format, { replace: true })
    this.log(`Wrote ${reviews.length.toLocaleString('en')} reviews to ${files.join(', ')}.`)
    return { reviews: reviews.length, files }
  }
}

/** Waits for a reader that is slower than this. */
function written(text: string): Promise<void> {
  return new Promise((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve())))
}
