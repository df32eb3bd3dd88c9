import { Flags, type Interfaces } from '@oclif/core'
import { ApiError } from '../client/errors.ts'
import type { Operator } from '../client/operator.ts'
import { formatCount } from '../contract/counts.ts'
import { DEFAULT_SIMILARITY_FLOOR, PLAN_LIMITS, type Plan, RATING } from '../contract/limits.ts'
import { parseUrl } from '../contract/parse-url.ts'
import type { PatchProjectBody, Project } from '../contract/project.ts'
import { floorText } from '../contract/score-text.ts'
import { CliError, flagLabels, usageError } from './errors/cli-error.ts'
import { suggestName } from './errors/closest.ts'
import { repeatedFlag } from './flags.ts'
import { table } from './output/table.ts'
import type { Terminal } from './output/terminal.ts'
import { oneLine } from './output/text.ts'
import { fieldLines } from './output/wrap.ts'

/** Most projects listed in a message. */
const NAMED_PROJECTS = 20

/** The named project, or the only one. @throws {CliError} `no_project`, `not_found`, or usage when there are several */
export async function chooseProject(operator: Operator, name: string | undefined): Promise<Project> {
  if (name !== undefined) return findProject(operator, name)
  const { items, more } = await operator.firstProjects(NAMED_PROJECTS)
  const [project] = items
  if (!project) {
    throw new CliError('there is no project yet', { code: 'no_project', hints: ['pullquote projects create NAME'] })
  }
  if (items.length === 1 && !more) return project
  const names = items.map((one) => one.name).join(', ')
  const rest = more ? ', and more (pullquote projects list)' : ''
  throw usageError('there are several projects: choose one with --project', `there are: ${names}${rest}`)
}

/** The project with this name or id. @throws {CliError} `not_found`, with the most similar name */
export async function findProject(operator: Operator, name: string): Promise<Project> {
  try {
    return await operator.project(name)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
    const names = (await operator.projects()).map((project) => project.name)
    const hint = suggestName(name, names, 'create it with: pullquote projects create NAME')
    throw new CliError(`there is no project "${name}"`, { code: 'not_found', hints: [hint] })
  }
}

export const originFlag = (description: string) => repeatedFlag({ description, helpValue: 'URL', delimiter: ',' })

/** The flags for a project's settings, shared by `projects create` and `projects set`. */
export const projectFlags = {
  plan: Flags.option({ description: 'limits of the project', options: ['free', 'paid'] as const })(),
  origin: originFlag(
    'allowed origin of publishable keys, for example https://www.example.com; replaces those set before',
  ),
  'similarity-floor': Flags.string({
    description: 'relevance floor, 0 to 1',
    helpValue: String(DEFAULT_SIMILARITY_FLOOR),
  }),
  'min-rating': Flags.integer({ description: 'reviews with fewer stars never appear', ...RATING }),
  excerpts: Flags.option({
    description:
      'no_complaints: sentences that read like complaints do not appear, whatever the rating of their review',
    options: ['all', 'no_complaints'] as const,
  })(),
}

/** Labels of the fields that {@link projectFlags} set. */
export const PROJECT_FIELD_LABELS = {
  ...flagLabels('plan', 'similarity_floor', 'min_rating', 'excerpts'),
  origins: '--origin',
}

/** The project settings that the flags give. @throws {CliError} usage, for an invalid origin or floor */
export function projectFields(flags: Partial<Interfaces.InferredFlags<typeof projectFlags>>): PatchProjectBody {
  return {
    plan: flags.plan,
    origins: flags.origin?.map(parseOrigin),
    similarity_floor: flags['similarity-floor'] === undefined ? undefined : checkedFloor(flags['similarity-floor']),
    min_rating: flags['min-rating'],
    excerpts: flags.excerpts,
  }
}

/**
 * An origin as browsers send it, from any spelling of it: without the scheme's own port, its host in lower case and ASCII.
 *
 * @throws {CliError} usage; for a full URL, a common mistake, the error names its origin
 */
export function parseOrigin(value: string): string {
  const parsed = parseUrl(value)
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    throw usageError(`"${value}" is not an origin`, 'give scheme and host, for example https://www.example.com')
  }
  if (parsed.host.includes('*')) throw usageError(`"${value}" has a wildcard`, 'give each origin by itself')
  if (parsed.href === `${parsed.origin}/`) return parsed.origin
  throw usageError(`"${value}" is more than an origin`, `give only scheme, host and port: ${parsed.origin}`)
}

function checkedFloor(value: string): number {
  const floor = Number(value)
  if (value.trim() !== '' && floor >= 0 && floor <= 1) return floor
  throw usageError(
    `"${value}" is not a relevance floor`,
    `give a number from 0 to 1, for example ${DEFAULT_SIMILARITY_FLOOR}`,
  )
}

export function projectTable(projects: readonly Project[], terminal: Terminal): string {
  return table(
    projects,
    [
      { heading: 'NAME', value: (project) => oneLine(project.name), flexible: true },
      { heading: 'PLAN', value: ({ plan }) => plan },
      { heading: 'LIVE', value: ({ reviews }) => String(reviews.live), align: 'right' },
      { heading: 'TEST', value: ({ reviews }) => String(reviews.test), align: 'right' },
      { heading: 'FLOOR', value: (project) => floorText(project.similarity_floor) },
      { heading: 'STARS FROM', value: (project) => String(project.min_rating) },
      { heading: 'ORIGINS', value: ({ origins }) => origins.map(oneLine).join(' ') || '-', flexible: true },
    ],
    terminal,
  )
}

/** Everything about one project, as lines. */
export function projectDetails(project: Project, terminal: Terminal): string {
  const { bold } = terminal.style
  const { reviews, review_limit, computed_queries: queries } = project
  const { live, test } = reviews
  const limit = review_limit === undefined ? '' : ` (up to ${formatCount(review_limit)} reviews)`
  const fields: [string, string][] = [
    ['plan', project.plan + limit],
    ['reviews', `${formatCount(live)} live, ${formatCount(test)} test`],
    ...(queries ? [['computed queries', monthsText(queries, project.plan)] satisfies [string, string]] : []),
    ['relevance floor', floorText(project.similarity_floor)],
    ['shows reviews from', `${project.min_rating} ${project.min_rating === 1 ? 'star' : 'stars'}`],
    ['complaints', project.excerpts === 'all' ? 'appear (--excerpts all)' : 'do not appear (--excerpts no_complaints)'],
    ['allowed origins', project.origins.map(oneLine).join(' ') || 'none: publishable keys work nowhere yet'],
    ['id', project.id],
    ['created', project.created_at],
  ]
  return [bold(oneLine(project.name)), ...fieldLines(fields, terminal, 2)].join('\n')
}

function monthsText({ this_month, last_month }: NonNullable<Project['computed_queries']>, plan: Plan): string {
  const quota = formatCount(PLAN_LIMITS[plan].uncachedQueriesPerMonth)
  return `${formatCount(this_month)} of ${quota} this month, ${formatCount(last_month)} last month (UTC)`
}
