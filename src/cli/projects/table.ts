import { formatCount } from '../../contract/counts.ts'
import type { Project } from '../../contract/project.ts'
import { fieldLines } from '../output/field-lines.ts'
import { oneLine } from '../output/printable.ts'
import { table } from '../output/table.ts'
import type { Terminal } from '../output/terminal.ts'

export function projectTable(projects: readonly Project[], terminal: Terminal): string {
  return table(
    projects,
    [
      { heading: 'NAME', value: (project) => oneLine(project.name), flexible: true },
      { heading: 'PLAN', value: ({ plan }) => plan },
      { heading: 'LIVE', value: ({ reviews }) => String(reviews.live), align: 'right' },
      { heading: 'TEST', value: ({ reviews }) => String(reviews.test), align: 'right' },
      { heading: 'FLOOR', value: (project) => project.similarity_floor.toFixed(2) },
      { heading: 'STARS FROM', value: (project) => String(project.min_rating) },
      { heading: 'ORIGINS', value: ({ origins }) => origins.map(oneLine).join(' ') || '-', flexible: true },
    ],
    terminal,
  )
}

export function projectDetails(project: Project, terminal: Terminal): string {
  const { bold } = terminal.style
  const { reviews, review_limit } = project
  const { live, test } = reviews
  const fields: [string, string][] = [
    [
      'plan',
      review_limit === undefined ? project.plan : `${project.plan} (up to ${formatCount(review_limit)} reviews)`,
    ],
    ['reviews', `${formatCount(live)} live, ${formatCount(test)} test`],
    ['relevance floor', project.similarity_floor.toFixed(2)],
    ['shows reviews from', `${project.min_rating} ${project.min_rating === 1 ? 'star' : 'stars'}`],
    ['complaints', project.excerpts === 'all' ? 'appear (--excerpts all)' : 'do not appear (--excerpts no_complaints)'],
    ['allowed origins', project.origins.map(oneLine).join(' ') || 'none: publishable keys work nowhere yet'],
    ['id', project.id],
    ['created', project.created_at],
  ]
  return [bold(oneLine(project.name)), ...fieldLines(fields, terminal, 2)].join('\n')
}
