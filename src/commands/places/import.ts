import { Args } from '@oclif/core'
import { BaseCommand } from '../../cli/base-command.ts'
import { clientFlags } from '../../cli/flags/connection.ts'
import { placesSettings, withPlacesHints } from '../../cli/import/places-settings.ts'
import { waitForIndexing } from '../../cli/reviews/wait-for-indexing.ts'
import { createImportClient } from '../../client/imports.ts'
import { placeReviews } from '../../client/places.ts'

interface PlacesImportAnswer {
  place: { id: string; name: string }
  inserted: number
  updated: number
  unchanged: number
  skipped: number
  reasons: Record<string, number>
}

export default class PlacesImport extends BaseCommand {
  static override description = `Imports the reviews that Google shares of a place, at most five, as source google.

Running it again updates them. Stars without a text are skipped and counted. For all reviews, import a Google Takeout.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> ChIJ…',
    '<%= config.bin %> <%= command.id %> ChIJ… --env test',
  ]
  static override args = {
    place: Args.string({ description: 'id, as `places search` shows it', required: true, ignoreStdin: true }),
  }
  static override flags = clientFlags

  async run(): Promise<PlacesImportAnswer> {
    const { args, flags } = await this.parse(PlacesImport)
    const { place, reviews, ratingOnly } = await withPlacesHints(placeReviews(placesSettings(process.env), args.place))
    const counts =
      reviews.length === 0
        ? undefined
        : await this.withClient(flags, async (session) => {
            const client = createImportClient({ ...session.connection, key: session.key, retry: session.retry })
            const lines = reviews.map((review) => JSON.stringify(review)).join('\n')
            const answer = await client.upload({
              fileName: `${place.id}.jsonl`,
              bytes: Buffer.from(lines),
              mapping: { profile: 'pullquote' },
              dryRun: false,
            })
            await waitForIndexing(session, this.interruptSignal, this)
            return answer
          })
    const skipped = ratingOnly + (counts?.skipped ?? 0)
    const { inserted = 0, updated = 0, unchanged = 0 } = counts ?? {}
    this.log(
      `${place.name}: ${inserted} inserted, ${updated} updated (${unchanged} of them unchanged), ${skipped} skipped (${ratingOnly} without a text).`,
    )
    const reasons = { ...counts?.reasons, ...(ratingOnly > 0 && { rating_only: ratingOnly }) }
    return { place, inserted, updated, unchanged, skipped, reasons }
  }
}
