import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../cli/base-command.ts'
import type { ClientSession } from '../../cli/connection/session.ts'
import { CliError, interruptedError, usageError } from '../../cli/errors/failure.ts'
import { clientFlags } from '../../cli/flags/connection.ts'
import type { Progress } from '../../cli/output/progress.ts'
import {
  type CheckedRecord,
  checkRecords,
  describeInvalidRecord,
  type InvalidRecord,
  type PushReport,
  pushRecords,
} from '../../cli/push/push.ts'
import { readRecordFile } from '../../cli/push/record-file.ts'
import { setAsideLine } from '../../cli/reviews/set-aside.ts'
import { Cancelled } from '../../client/errors.ts'
import { readReadiness } from '../../client/readiness.ts'

interface PushAnswer {
  pushed: number
  stored: number
  skipped: number
  deferred: boolean
  seconds: number
  invalid: InvalidRecord[]
}

const SHOWN_INVALID = 20
/** The most that a page of the list may hold. */
const PAGE = 100
const RUN_AGAIN = 'run the same command again: what is stored already is recognised and not doubled'

export default class ReviewsPush extends BaseCommand {
  static override description = `Pushes reviews in the contract's shape: a JSON array, or JSON lines, of any length.

Every record is checked before the first one is sent: when one is bad, all bad ones are listed and nothing is pushed, \
unless --skip-invalid leaves them out. Standard input is read once, so there records before a bad one may be stored. \
Running the command again is always safe: source and external_id say which review a record is.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> reviews.json',
    '<%= config.bin %> <%= command.id %> reviews.jsonl --project hotel-aurora --env test',
    'zcat reviews.jsonl.gz | <%= config.bin %> <%= command.id %> - --skip-invalid',
  ]
  static override args = {
    file: Args.string({ ignoreStdin: true, description: 'file of reviews, or - for standard input', required: true }),
  }
  static override flags = {
    'skip-invalid': Flags.boolean({ description: 'leave bad records out and push the others', default: false }),
    wait: Flags.boolean({
      description: 'end when the reviews are indexed (and others, while more than 100 of the project wait)',
      default: false,
    }),
    ...clientFlags,
  }

  async run(): Promise<PushAnswer> {
    const { args, flags } = await this.parse(ReviewsPush)
    const started = Date.now()
    if (args.file === '-' && flags['key-stdin']) {
      throw usageError('standard input cannot hold both the key and the reviews', 'give the key in PULLQUOTE_KEY')
    }
    const skipInvalid = flags['skip-invalid']
    const total = args.file === '-' ? undefined : await this.checkWhole(args.file, skipInvalid)
    const report = await this.withClient(flags, async (session) => {
      const pushed = await this.push(args.file, session, { total, skipInvalid })
      if (pushed.stored > 0 && !pushed.deferred) await this.untilIndexed(session, pushed.indexing, flags.wait)
      return pushed
    })
    return this.conclude(report, skipInvalid, (Date.now() - started) / 1000)
  }

  /** Reads a file once without sending anything. @returns how many good records there are */
  private async checkWhole(file: string, skipInvalid: boolean): Promise<number> {
    const progress = this.progress('Checking the records')
    let good = 0
    const bad: InvalidRecord[] = []
    let badCount = 0
    try {
      for await (const record of open(file, this.interruptSignal)) {
        if (this.interruptSignal.aborted) throw new Cancelled()
        if (record.ok) good++
        else if (++badCount <= SHOWN_INVALID) bad.push(record.invalid)
        if ((good + badCount) % 1000 === 0) progress.update(`Checking the records: ${count(good + badCount)}`)
      }
    } catch (error) {
      throw error instanceof Cancelled ? interruptedError('interrupted; nothing was pushed') : error
    } finally {
      progress.stop()
    }
    if (badCount > 0 && !skipInvalid) {
      throw invalidError(
        `${badCount} of ${count(good + badCount)} records are not valid; nothing was pushed`,
        bad,
        badCount,
      )
    }
    return good
  }

  private async push(
    file: string,
    session: ClientSession,
    options: { total: number | undefined; skipInvalid: boolean },
  ): Promise<PushReport> {
    const { total, skipInvalid } = options
    const progress = this.progress('Pushing')
    const started = Date.now()
    try {
      return await pushRecords(open(file, this.interruptSignal), {
        client: session.client,
        skipInvalid,
        signal: this.interruptSignal,
        onBatch: ({ pushed }) => progress.update(pushingLine(pushed, total, Date.now() - started)),
      })
    } finally {
      progress.stop()
    }
  }

  /** In this process the indexing must be finished before the database is closed; elsewhere it is waited for if asked. */
  private async untilIndexed(
    { connection, client }: ClientSession,
    pushed: ReadonlySet<string>,
    wait: boolean,
  ): Promise<void> {
    if (connection.kind !== 'in-process' && !wait) return
    const signal = this.interruptSignal
    let setAside = 0
    const progress: Progress = this.progress('Indexing')
    try {
      const settled =
        connection.kind === 'in-process' ? connection.settled() : untilListed(() => stillIndexing(), signal)
      await Promise.race([settled, aborted(signal)])
    } finally {
      progress.stop()
    }
    if (connection.kind === 'in-process' && !signal.aborted) setAside = await countSetAside()
    if (setAside > 0) this.info(setAsideLine(setAside))
    if (signal.aborted) {
      this.writeStderr(
        'Interrupted while indexing: the reviews are stored, and are indexed the next time a server or command opens the database.',
      )
    }

    /** Whether any of those that were pushed waits: exact unless more wait than a page of the list shows. */
    async function stillIndexing(): Promise<boolean> {
      const { reviews, next_cursor } = await client.list({ indexed: 'false', limit: PAGE }, signal)
      if (next_cursor === null && !reviews.some(({ id }) => pushed.has(id))) return false
      setAside = await countSetAside()
      return setAside === 0
    }

    /** How many reviews of the server are set aside, when nothing else waits. */
    async function countSetAside(): Promise<number> {
      // A server that does not answer this once is asked again with the next look.
      const queue = (await readReadiness(connection.fetch, connection.baseUrl, signal).catch(() => undefined))?.queue
      return queue && queue.queued === 0 ? queue.set_aside : 0
    }
  }

  private conclude(report: PushReport, skipInvalid: boolean, seconds: number): PushAnswer {
    const { pushed, stored, deferred, invalid, invalidCount, stopped } = report
    const sofar = `${records(pushed)} pushed before`
    if (stopped?.by === 'interrupt') throw interruptedError(`interrupted; ${sofar}`, RUN_AGAIN)
    if (stopped?.by === 'error') {
      if (pushed > 0) this.writeStderr(`${sofar} this:`)
      throw stopped.error
    }
    if (invalidCount > 0 && !skipInvalid) {
      throw invalidError(`${records(invalidCount)} not valid; ${sofar} the first of them`, invalid, invalidCount)
    }
    for (const record of invalid.slice(0, SHOWN_INVALID)) {
      const { path, message } = describeInvalidRecord(record)
      this.info(`Left out ${path} ${message}`)
    }
    if (invalidCount > SHOWN_INVALID) this.info(`… and ${count(invalidCount - SHOWN_INVALID)} more.`)
    const skipped = invalidCount === 0 ? '' : `, left out ${count(invalidCount)}`
    this.log(`Pushed ${count(pushed)} ${pushed === 1 ? 'review' : 'reviews'}${skipped} in ${seconds.toFixed(1)} s.`)
    if (deferred)
      this.info('The server has stored them and will index them when its allowance renews; nothing is to be done.')
    return { pushed, stored, skipped: invalidCount, deferred, seconds, invalid }
  }
}

function open(file: string, signal: AbortSignal): AsyncGenerator<CheckedRecord> {
  return checkRecords(readRecordFile(file, 'pullquote reviews push --help', signal))
}

function invalidError(message: string, invalid: readonly InvalidRecord[], total: number): CliError {
  const details = invalid.slice(0, SHOWN_INVALID).map(describeInvalidRecord)
  if (total > details.length) details.push({ path: '(body)', message: `… and ${count(total - details.length)} more` })
  return new CliError(message, {
    code: 'invalid_records',
    details,
    hints: ['mend them and run the same command again', 'leave them out with --skip-invalid'],
  })
}

function pushingLine(pushed: number, total: number | undefined, ms: number): string {
  const rate = Math.round((pushed * 1000) / Math.max(ms, 1))
  if (total === undefined) return `Pushing: ${count(pushed)} reviews, ${count(rate)}/s`
  const percent = Math.floor((100 * pushed) / Math.max(total, 1))
  const left = pushed > 0 ? `, ${Math.ceil(((total - pushed) * ms) / pushed / 1000)} s left` : ''
  return `Pushing: ${count(pushed)} of ${count(total)} reviews (${percent} %), ${count(rate)}/s${left}`
}

/** `1 record was`, `2 records were`. */
function records(value: number): string {
  return value === 1 ? '1 record was' : `${count(value)} records were`
}

function count(value: number): string {
  return value.toLocaleString('en')
}

async function untilListed(more: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await more())) await new Promise((resolve) => setTimeout(resolve, 500))
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
