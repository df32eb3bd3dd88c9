import { Flags } from '@oclif/core'
import { BaseCommand } from '../../cli/base-command.ts'
import { projectFlag, serverFlags } from '../../cli/flags.ts'
import { shortId } from '../../cli/output/format.ts'
import { type Column, table } from '../../cli/output/table.ts'
import { oneLine } from '../../cli/output/text.ts'
import { waitForIndexing } from '../../cli/reviews/wait-for-indexing.ts'
import { formatCount, pluralize } from '../../contract/counts.ts'
import type { SetAsideResponse } from '../../contract/set-aside.ts'

type Failed = SetAsideResponse['reviews'][number]

const SHOWN = 100

export default class ReviewsFailed extends BaseCommand {
  static override description =
    `Lists the reviews that were set aside because they could not be indexed, with the reasons.

A review is set aside after failing twice for a reason of its own: the embedding service or the database refuses its text, or \
the server stopped or was blocked each time it indexed this review alone. It stays stored and listed and does not hold up \
other reviews, but no query finds it. It is tried again when its text or the model changes, or with --retry. No review is \
set aside because a service is unavailable.`
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --project hotel-aurora --retry',
  ]
  static override flags = {
    project: projectFlag('only reviews of this project [env: PULLQUOTE_PROJECT]'),
    retry: Flags.boolean({ description: 'try all of them again', default: false }),
    ...serverFlags,
  }

  async run(): Promise<SetAsideResponse | { queued: number }> {
    const { flags } = await this.parse(ReviewsFailed)
    return this.withOperator(flags, async (operator, session) => {
      const { project } = session.settings
      if (flags.retry) {
        const queued = await operator.retrySetAside(project)
        if (queued > 0) await waitForIndexing(session, this.interruptSignal, this)
        if (queued === 0) this.info('No reviews are set aside.')
        else this.log(`${pluralize(queued, 'review')} will be tried again.`)
        return { queued }
      }
      const found = await operator.setAside({ project, limit: SHOWN })
      if (found.total === 0) this.info('No reviews are set aside.')
      else this.log(this.render(found))
      return found
    })
  }

  private render({ total, reviews }: SetAsideResponse): string {
    const columns: Column<Failed>[] = [
      { heading: 'PROJECT', value: (one) => oneLine(one.project) },
      { heading: 'ENV', value: (one) => one.env },
      { heading: 'ID', value: (one) => shortId(one.id) },
      { heading: 'EXTERNAL ID', value: (one) => `${one.source}/${oneLine(one.external_id)}` },
      { heading: 'SINCE', value: (one) => one.since.slice(0, 16).replace('T', ' ') },
      { heading: 'REASON', value: (one) => oneLine(one.reason), flexible: true },
    ]
    const lines = [table(reviews, columns, this.terminal)]
    if (total > reviews.length) lines.push(`… and ${formatCount(total - reviews.length)} more.`)
    return lines.join('\n')
  }
}
