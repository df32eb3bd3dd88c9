import { Args } from '@oclif/core'
import type { StoredReview } from '../contract/review.ts'
import { BaseCommand } from './base-command.ts'
import { eachReview } from './each-review.ts'
import { clientFlags } from './flags.ts'

/** What `reviews hide` and `reviews unhide` share: the same change to each review that is named. */
export abstract class VisibilityCommand extends BaseCommand {
  static override examples = [
    '<%= config.bin %> <%= command.id %> 3f0c9a4e-8f55-4d0b-9a54-0f6f5b1f7f10',
    '<%= config.bin %> <%= command.id %> ID1 ID2 ID3',
  ]
  static override strict = false
  static override args = { id: Args.string({ ignoreStdin: true, description: 'ids of the reviews', required: true }) }
  static override flags = { ...clientFlags }

  protected abstract readonly hidden: boolean
  /** Said of each review. */
  protected abstract readonly done: string

  async run(): Promise<{ reviews: StoredReview[] }> {
    const { argv, flags } = await this.parse(VisibilityCommand)
    const reviews = await this.withClient(flags, ({ client }) =>
      eachReview(argv.map(String), (id) => client.patch(id, { hidden: this.hidden }, this.interruptSignal)),
    )
    for (const { id } of reviews) this.log(`${this.done}: ${id}`)
    return { reviews }
  }
}
