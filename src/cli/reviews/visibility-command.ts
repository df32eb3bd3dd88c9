import type { StoredReview } from '../../contract/review.ts'
import { BaseCommand } from '../base-command.ts'
import { clientFlags, requiredArg } from '../flags.ts'
import { findReviews, forEachReview } from './find-reviews.ts'
import { reviewSummary } from './lines.ts'

/** Base of `reviews hide` and `reviews unhide`. */
export abstract class VisibilityCommand extends BaseCommand {
  static override examples = [
    '<%= config.bin %> <%= command.id %> 3f0c9a4e-8f55-4d0b-9a54-0f6f5b1f7f10',
    '<%= config.bin %> <%= command.id %> 3f0c9a4e 81bb02c1',
  ]
  static override strict = false
  static override args = { id: requiredArg('ids of the reviews, or their first characters') }
  static override flags = { ...clientFlags }

  protected abstract readonly hidden: boolean
  /** Printed before each changed review. */
  protected abstract readonly done: string

  async run(): Promise<{ reviews: StoredReview[] }> {
    const { argv, flags } = await this.parse(VisibilityCommand)
    const signal = this.interruptSignal
    const reviews = await this.withClient(flags, async ({ client }) =>
      forEachReview(await findReviews(client, argv.map(String), signal), async ({ id }) => {
        const review = await client.patch(id, { hidden: this.hidden }, signal)
        this.log(`${this.done}: ${reviewSummary(review, this.terminal, this.done.length + 2)}`)
        return review
      }),
    )
    return { reviews }
  }
}
