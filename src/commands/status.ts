import { BaseCommand } from '../cli/base-command.ts'
import { type ServerInUse, serverOf } from '../cli/connection/session.ts'
import { serverFlags } from '../cli/flags.ts'
import { formatDuration } from '../cli/output/format.ts'
import { oneLine } from '../cli/output/text.ts'
import { fieldLines } from '../cli/output/wrap.ts'
import { projectTable } from '../cli/projects.ts'
import type { Connection } from '../client/connect.ts'
import { type Readiness, readReadiness } from '../client/readiness.ts'
import { formatCount, pluralize } from '../contract/counts.ts'
import type { WaitReason } from '../contract/health.ts'
import type { Project } from '../contract/project.ts'

interface Status extends ServerInUse, Readiness {
  projects: Project[] | null
}

const KINDS: Record<Connection['kind'], string> = {
  remote: 'server',
  'local-server': 'server on this machine',
  'in-process': 'no server is running; the database was opened for this command',
}

/** Why reviews wait that are not just behind others. */
const WAITS: Record<WaitReason, string> = {
  embedding_unavailable: 'the embedding service is not available (see pullquote doctor)',
  daily_allowance: "the day's allowance (PULLQUOTE_DAILY_EMBEDDINGS) is used up; it renews at 00:00 UTC",
  other_model: 'another embedding model is active in the database',
  disk_full: 'the disk is full',
  database_unavailable: 'the database does not answer',
  internal: "an unexpected error (see the server's log)",
}

/** An embedding service may ask for up to an hour; other reasons are looked at again within a minute. */
const LONG_WAIT_SECONDS = 61

/** Most projects listed; the rest are counted. */
const SHOWN_PROJECTS = 20

export default class StatusCommand extends BaseCommand {
  static override description =
    `Shows which server the commands use, whether it is ready, and its model, queue and projects.`
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --url https://reviews.example.com --json',
  ]
  static override flags = { ...serverFlags }

  async run(): Promise<Status> {
    const { flags } = await this.parse(StatusCommand)
    let folder: string | undefined
    const status = await this.withSession(flags, async (session): Promise<Status> => {
      const { connection, operator } = session
      folder = connection.opened?.folder
      const readiness = await readReadiness(connection, this.interruptSignal)
      const { ready, database, model, queue, worker, search_memory } = readiness
      const projects = operator && database.ok ? await operator.projects() : null
      return { ...serverOf(session), ready, database, model, queue, worker, search_memory, projects }
    })
    this.log(this.render(status, folder))
    if (!status.ready) process.exitCode = 1
    return status
  }

  /** @param folder of the embedded database, if it was opened for this command */
  private render(status: Status, folder: string | undefined): string {
    const { green, red, yellow } = this.terminal.style
    const { queue, worker, model, projects } = status
    const waiting = queue?.queued ?? 0
    const { search_memory: memory } = status
    const fields: [string, string | null][] = [
      ['server', [status.url ?? '', `(${KINDS[status.server]})`].filter(Boolean).join(' ')],
      ['profile', status.profile],
      ['ready', status.ready ? green('yes') : red('no')],
      [
        'database',
        status.database.ok ? `answers${folder ? `, in ${folder}` : ''}` : red('does not answer, or is read-only'),
      ],
      [
        'model',
        `${oneLine(model.name)}${model.active || !status.database.ok ? '' : yellow(' (another model is active in the database)')}`,
      ],
      ['memory', memory && memoryLine(memory)],
      ['queue', queue === null ? 'unknown' : queueLine(waiting, queue)],
      ['indexing', waiting > 0 && worker.waiting ? yellow(`waits: ${waitText(worker.waiting)}`) : null],
      ['set aside', queue?.set_aside ? yellow(this.setAsideLine(queue.set_aside)) : null],
    ]
    const lines = fieldLines(fields, this.terminal)
    if (projects === null) return lines.join('\n')
    if (projects.length === 0)
      return [...lines, '', `No projects yet. Try: ${this.config.bin} projects create NAME`].join('\n')
    const rest = projects.length - SHOWN_PROJECTS
    const more = rest > 0 ? [`and ${formatCount(rest)} more: ${this.config.bin} projects list`] : []
    return [...lines, '', projectTable(projects.slice(0, SHOWN_PROJECTS), this.terminal), ...more].join('\n')
  }

  private setAsideLine(count: number): string {
    const which = `${pluralize(count, 'review')} could not be indexed`
    return `${which}; see: ${this.config.bin} reviews failed`
  }
}

function memoryLine({ loaded, excerpts, bytes, budget }: NonNullable<Readiness['search_memory']>): string {
  const megabytes = (of: number) => `${formatCount(Math.round(of / 1e6))} MB`
  return `${formatCount(excerpts)} excerpts of ${pluralize(loaded, 'environment')}, ${megabytes(bytes)} of ${megabytes(budget)}`
}

/** A later server may have reasons that are not known here. */
function waitText({ reason, until }: NonNullable<Readiness['worker']['waiting']>): string {
  const text = Object.hasOwn(WAITS, reason) ? WAITS[reason as WaitReason] : oneLine(reason)
  const seconds = (Date.parse(until) - Date.now()) / 1000
  return seconds > LONG_WAIT_SECONDS ? `${text}; next try in ${formatDuration(seconds)}` : text
}

function queueLine(waiting: number, queue: NonNullable<Readiness['queue']>): string {
  if (waiting === 0) return queue.set_aside > 0 ? 'empty' : 'empty: everything is indexed'
  const failing = queue.failing > 0 ? `, ${queue.failing} failed and will be tried again` : ''
  return `${formatCount(waiting)} waiting, the oldest for ${formatDuration(queue.oldest_seconds)}${failing}`
}
