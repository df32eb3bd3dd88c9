import { BaseCommand } from '../../cli/base-command.ts'
import type { ClientSession } from '../../cli/connection/session.ts'
import { clientFlags, requiredArg } from '../../cli/flags.ts'
import { placesSettings } from '../../cli/import/places-settings.ts'
import { oneLine } from '../../cli/output/text.ts'
import { waitForIndexing } from '../../cli/reviews/wait-for-indexing.ts'
import { placeReviews } from '../../client/places.ts'

export default class PlacesImport extends BaseCommand {
  static override description =
    `Imports the reviews of a place that Google shares, at most five, with the source google.

Run it again to update them. Ratings without a text are skipped and counted. To get all reviews, import a Google Takeout.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> ChIJ…',
    '<%= config.bin %> <%= command.id %> ChIJ… --env test',
  ]
  static override args = { place: requiredArg('id of the place, from `places search`') }
  static override flags = clientFlags

  async run() {
    const { args, flags } = await this.parse(PlacesImport)
    const { place, reviews, ratingOnly } = await placeReviews(placesSettings(process.env), args.place)
    const upload = async (session: ClientSession) => {
      const bytes = Buffer.from(reviews.map((review) => JSON.stringify(review)).join('\n'))
      const mapping = { profile: 'pullquote' }
      const answer = await session.client.upload({ fileName: `${place.id}.jsonl`, bytes, mapping, dryRun: false })
      await waitForIndexing(session, this.interruptSignal, this)
      return answer
    }
    const counts = reviews.length === 0 ? undefined : await this.withClient(flags, upload)
    const skipped = ratingOnly + (counts?.skipped ?? 0)
    const { inserted = 0, updated = 0, unchanged = 0 } = counts ?? {}
    this.log(
      `${oneLine(place.name)}: ${inserted} inserted, ${updated} updated (${unchanged} of them unchanged), ${skipped} skipped (${ratingOnly} without a text).`,
    )
    const reasons = { ...counts?.reasons, rating_only: ratingOnly || undefined }
    return { place, inserted, updated, unchanged, skipped, reasons }
  }
}
