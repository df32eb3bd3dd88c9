import { Flags } from '@oclif/core'
import { BaseCommand } from '../../cli/base-command.ts'
import { flagLabels } from '../../cli/errors/cli-error.ts'
import { clientFlags, sourceFlag } from '../../cli/flags.ts'
import { reviewList } from '../../cli/reviews/lines.ts'
import { LIST_LIMIT, RATING } from '../../contract/limits.ts'
import { type ListResponse, listParameters } from '../../contract/review.ts'

export default class ReviewsList extends BaseCommand {
  static override description = 'Lists stored reviews, newest first, including hidden ones.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --source google --min-rating 4 --since 2026-01-01 --limit 50',
    '<%= config.bin %> <%= command.id %> --hidden true --all --json',
    '<%= config.bin %> <%= command.id %> --indexed false   # still being indexed',
  ]
  static override flags = {
    limit: Flags.integer({
      description: 'how many reviews; fetches as many pages as needed',
      min: LIST_LIMIT.min,
      default: LIST_LIMIT.default,
    }),
    all: Flags.boolean({ description: 'list all reviews', exclusive: ['limit'] }),
    cursor: Flags.string({ description: 'continue from the next_cursor of an earlier list' }),
    source: sourceFlag('only reviews from this source'),
    'min-rating': Flags.integer({
      description: 'only reviews with at least this many stars; leaves out unrated ones',
      ...RATING,
    }),
    hidden: Flags.option({
      description: 'only hidden reviews, only visible ones, or all',
      options: ['true', 'false', 'all'] as const,
    })(),
    since: Flags.string({ description: 'only reviews written on or after this day or time', helpValue: '2026-01-31' }),
    indexed: Flags.option({
      description: 'only indexed reviews, or only those still being indexed',
      options: ['true', 'false'] as const,
    })(),
    ...clientFlags,
  }

  protected override readonly fieldLabels = flagLabels(...Object.keys(listParameters.entries))

  async run(): Promise<ListResponse> {
    const { flags } = await this.parse(ReviewsList)
    const { source, hidden, since, indexed, 'min-rating': min_rating } = flags
    const wanted = flags.all ? Number.POSITIVE_INFINITY : flags.limit
    let shown = 0
    const page = await this.withClient(flags, async ({ client }) => {
      const kept: ListResponse = { reviews: [], next_cursor: flags.cursor ?? null }
      do {
        const limit = Math.min(LIST_LIMIT.max, wanted - shown)
        const cursor = kept.next_cursor ?? undefined
        const next = await client.list(
          { source, min_rating, hidden, since, indexed, limit, cursor },
          this.interruptSignal,
        )
        shown += next.reviews.length
        kept.next_cursor = next.next_cursor
        // Each page is printed as it arrives; only --json needs them all at once.
        if (this.jsonEnabled()) kept.reviews.push(...next.reviews)
        else if (next.reviews.length > 0) this.log(reviewList(next.reviews, new Date(), this.terminal))
      } while (kept.next_cursor !== null && shown < wanted)
      return kept
    })
    if (shown === 0) this.info('No reviews found.')
    else if (page.next_cursor !== null)
      this.info(`There are more. To see them, add --all or --cursor ${page.next_cursor}`)
    return page
  }
}
