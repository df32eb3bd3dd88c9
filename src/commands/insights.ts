import { Flags } from '@oclif/core'
import { BaseCommand } from '../cli/base-command.ts'
import { clientFlags, projectFlag, serverFlags } from '../cli/flags.ts'
import { type Column, table } from '../cli/output/table.ts'
import { oneLine } from '../cli/output/text.ts'
import { wrap } from '../cli/output/wrap.ts'
import { chooseProject } from '../cli/projects.ts'
import { formatCount, pluralize } from '../contract/counts.ts'
import type { InsightsResponse } from '../contract/insights.ts'
import { INSIGHTS_DAYS, INSIGHTS_LIMIT } from '../contract/limits.ts'
import { scoreBesideFloor } from '../contract/score-text.ts'

type Query = InsightsResponse['top'][number]
type Unanswered = InsightsResponse['unanswered'][number]

export default class InsightsCommand extends BaseCommand {
  static override description =
    `Shows what visitors searched for: the most frequent queries, and those that found nothing.

A near miss is a query that found nothing although an excerpt is just below the relevance floor; look at it with \
\`pullquote query TEXT --explain\`. Searches are counted per day, without visitors' addresses. PULLQUOTE_INSIGHTS_DAYS sets how \
long the counts are kept; 0 turns counting off.`
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --project hotel-aurora --days 7 --limit 20 --json',
  ]
  static override flags = {
    project: projectFlag(),
    env: clientFlags.env,
    days: Flags.integer({ description: 'how many days back', ...INSIGHTS_DAYS }),
    limit: Flags.integer({ description: 'how many queries in each list', ...INSIGHTS_LIMIT }),
    ...serverFlags,
  }

  async run(): Promise<InsightsResponse> {
    const { flags } = await this.parse(InsightsCommand)
    const { days, limit } = flags
    const answer = await this.withOperator(flags, async (operator, session) => {
      const { project: name, env = 'live' } = session.settings
      const project = await chooseProject(operator, name)
      return operator.insights({ project: project.id, env, days, limit })
    })
    if (!answer.counting) this.info('Searches are not counted: PULLQUOTE_INSIGHTS_DAYS is 0.')
    if (answer.totals.searches === 0) this.info(`No searches in the last ${days} days.`)
    else this.log(this.render(answer))
    return answer
  }

  private render({ totals, top, unanswered, floor, days }: InsightsResponse): string {
    const { bold, yellow } = this.terminal.style
    const { searches, queries, empty, fallbacks } = totals
    const share = (count: number) => `${formatCount(count)} (${Math.round((100 * count) / searches)} %)`
    const counts = `${pluralize(searches, 'search', 'searches')} of ${pluralize(queries, 'query', 'queries')} in ${days} days`
    const poor = `${share(empty)} found nothing, ${share(fallbacks)} showed the newest reviews instead`
    const lines = [wrap(`${counts}; ${poor}.`, this.terminal.columns)]
    const query: Column<Query> = { heading: 'QUERY', value: (one) => oneLine(one.query), flexible: true }
    const times: Column<Query> = { heading: 'SEARCHES', value: (one) => String(one.searches), align: 'right' }
    lines.push('', bold('Most frequent'), table(top, [times, query], this.terminal))
    if (unanswered.length === 0) return lines.join('\n')
    const without: Column<Unanswered> = {
      heading: 'NOTHING',
      value: (one) => String(one.empty + one.fallbacks),
      align: 'right',
    }
    const nearest: Column<Unanswered> = {
      heading: 'NEAREST NOW',
      value: ({ nearest: cosine, near_miss }) => {
        if (cosine === null) return '-'
        const shown = scoreBesideFloor(cosine, floor)
        if (cosine >= floor) return `${shown}, found now`
        return near_miss ? yellow(`${shown}, near miss`) : shown
      },
    }
    lines.push('', bold('Found nothing'), table(unanswered, [without, nearest, query], this.terminal))
    return lines.join('\n')
  }
}
