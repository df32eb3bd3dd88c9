import { Args } from '@oclif/core'
import { BaseCommand } from '../../cli/base-command.ts'
import { eachReview } from '../../cli/each-review.ts'
import { clientFlags } from '../../cli/flags.ts'
import type { StoredReview } from '../../contract/review.ts'

export default class ReviewsUnhide extends BaseCommand {
  static override description = 'Shows hidden reviews again: they may appear in query results again.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 3f0c9a4e-8f55-4d0b-9a54-0f6f5b1f7f10',
    '<%= config.bin %> <%= command.id %> ID1 ID2 ID3',
  ]
  static override strict = false
  static override args = { id: Args.string({ ignoreStdin: true, description: 'ids of the reviews', required: true }) }
  static override flags = { ...clientFlags }

  async run(): Promise<{ reviews: StoredReview[] }> {
    const { argv, flags } = await this.parse(ReviewsUnhide)
    const reviews = await this.withClient(flags, ({ client }) =>
      eachReview(argv.map(String), (id) => client.patch(id, { hidden: false }, this.interruptSignal)),
    )
    for (const { id } of reviews) this.log(`Visible again: ${id}`)
    return { reviews }
  }
}
