import { Args } from '@oclif/core'
import { BaseCommand } from '../../cli/base-command.ts'
import { confirmed } from '../../cli/confirm.ts'
import { eachReview } from '../../cli/each-review.ts'
import { clientFlags, yesFlag } from '../../cli/flags.ts'

export default class ReviewsDelete extends BaseCommand {
  static override description = 'Deletes reviews for good. To keep one out of results only, hide it.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 3f0c9a4e-8f55-4d0b-9a54-0f6f5b1f7f10',
    '<%= config.bin %> <%= command.id %> ID1 ID2 --yes',
  ]
  static override strict = false
  static override args = { id: Args.string({ ignoreStdin: true, description: 'ids of the reviews', required: true }) }
  static override flags = { ...yesFlag, ...clientFlags }

  async run(): Promise<{ deleted: string[] }> {
    const { argv, flags } = await this.parse(ReviewsDelete)
    const ids = argv.map(String)
    const question = ids.length === 1 ? `Delete the review ${ids[0]}?` : `Delete ${ids.length} reviews?`
    if (!(await confirmed(question, { yes: flags.yes }))) {
      this.note('Nothing was deleted.')
      return { deleted: [] }
    }
    const deleted = await this.withClient(flags, ({ client }) =>
      eachReview(ids, async (id) => {
        await client.delete(id, this.interruptSignal)
        return id
      }),
    )
    for (const id of deleted) this.log(`Deleted: ${id}`)
    return { deleted }
  }
}
