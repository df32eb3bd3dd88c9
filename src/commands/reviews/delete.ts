import { BaseCommand } from '../../cli/base-command.ts'
import { clientFlags, requiredArg, yesFlag } from '../../cli/flags.ts'
import { findReviews, forEachReview } from '../../cli/reviews/find-reviews.ts'
import { reviewSummary } from '../../cli/reviews/lines.ts'
import type { StoredReview } from '../../contract/review.ts'

export default class ReviewsDelete extends BaseCommand {
  static override description = `Deletes reviews.

If you import a file that still contains a deleted review, the review comes back. A hidden review stays hidden, so hide \
what must not be shown.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> 3f0c9a4e-8f55-4d0b-9a54-0f6f5b1f7f10',
    '<%= config.bin %> <%= command.id %> 3f0c9a4e 81bb02c1 --yes',
  ]
  static override strict = false
  static override args = { id: requiredArg('ids of the reviews, or their first characters') }
  static override flags = { ...yesFlag, ...clientFlags }

  async run(): Promise<{ deleted: string[] }> {
    const { argv, flags } = await this.parse(ReviewsDelete)
    const signal = this.interruptSignal
    const reviews = await this.withClient(flags, ({ client }) => findReviews(client, argv.map(String), signal))
    await this.confirm(this.question(reviews.found), { given: flags.yes, otherwise: 'nothing was deleted' })
    const deleted = await this.withClient(flags, ({ client }) =>
      forEachReview(reviews, async (review) => {
        await client.delete(review.id, signal)
        this.log(`Deleted: ${reviewSummary(review, this.terminal, 9)}`)
        return review.id
      }),
    )
    if (deleted.length > 0)
      this.info(
        'If you import a file that still contains a deleted review, it comes back. To keep a review out, hide it instead.',
      )
    return { deleted }
  }

  private question(reviews: readonly StoredReview[]): string {
    const [first] = reviews
    if (first && reviews.length === 1) return `Delete ${reviewSummary(first, this.stderrTerminal, 20)}?`
    for (const review of reviews) this.writeStderr(reviewSummary(review, this.stderrTerminal))
    return `Delete these ${reviews.length} reviews?`
  }
}
