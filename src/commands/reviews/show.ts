import { BaseCommand } from '../../cli/base-command.ts'
import { clientFlags, requiredArg } from '../../cli/flags.ts'
import { resolveReviewId } from '../../cli/reviews/find-reviews.ts'
import { reviewDetails } from '../../cli/reviews/lines.ts'
import type { StoredReview } from '../../contract/review.ts'

export default class ReviewsShow extends BaseCommand {
  static override description = 'Shows everything about one review.'
  static override examples = ['<%= config.bin %> <%= command.id %> 3f0c9a4e-8f55-4d0b-9a54-0f6f5b1f7f10']
  static override args = { id: requiredArg('id of the review, or its first characters') }
  static override flags = { ...clientFlags }

  async run(): Promise<StoredReview> {
    const { args, flags } = await this.parse(ReviewsShow)
    const review = await this.withClient(flags, async ({ client }) => {
      const signal = this.interruptSignal
      return client.show(await resolveReviewId(client, args.id, signal), signal)
    })
    this.log(reviewDetails(review, new Date(), this.terminal))
    return review
  }
}
