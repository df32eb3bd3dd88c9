import { open, stat } from 'node:fs/promises'
import { Args, Flags } from '@oclif/core'
import * as v from 'valibot'
import { BaseCommand } from '../../cli/base-command.ts'
import { type ClientSession, requireOperator } from '../../cli/connection/session.ts'
import { CliError, EXIT, interruptedError, isInterruption, usageError } from '../../cli/errors/failure.ts'
import { clientFlags } from '../../cli/flags/connection.ts'
import { shellQuote } from '../../cli/output/shell-quote.ts'
import { stars } from '../../cli/output/stars.ts'
import { table } from '../../cli/output/table.ts'
import { readRecordFile } from '../../cli/push/record-file.ts'
import {
  type FloorOutcome,
  floorOutcome,
  floorOutcomes,
  judgement,
  judgementKey,
  type MeasuredJudgement,
  measureExcerpt,
  suggestedFloor,
} from '../../cli/tune/floors.ts'
import { promptForJudgements, terminalPrompts } from '../../cli/tune/questions.ts'
import { floorVerdict, MINIMUM, type Verdict } from '../../cli/tune/verdict.ts'
import type { Client } from '../../client/client.ts'
import { ApiError } from '../../client/errors.ts'
import type { Project } from '../../contract/project.ts'

interface Tuned {
  project: string
  judgements: number
  current: FloorOutcome
  /** The floor that the judgements speak for; `verdict` says whether they say enough. */
  suggested: FloorOutcome
  verdict: Verdict
  applied: boolean
  outcomes: FloorOutcome[]
}

/** How far below the floor reviews are shown for judging. */
const ASK_FROM = 0.4
const ASK_PER_QUERY = 8

const EXAMPLE = 'for example: {"query":"sea bass","review":"3f0c9a4e-…","fits":true}'

export default class ProjectsTune extends BaseCommand {
  static override description = `Suggests a relevance floor from queries with reviews that fit or do not fit.

The judgements come from a file of JSON lines, {"query":"sea bass","review":"ID","fits":true}, or are asked one by one on a \
terminal. --save keeps each answer at once, and the same command again goes on from there. For each floor the table shows what it keeps, loses and lets in wrongly; a wrong result weighs more than a lost one.

The floor is moved only by ${MINIMUM.judgements} judgements or more over ${MINIMUM.queries} queries, at least ${MINIMUM.ofEachKind} of them of reviews that fit and ${MINIMUM.ofEachKind} of \
ones that do not, and only when another floor is plainly better, also without any one of the queries.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> hotel-aurora --save judged.jsonl   # asks',
    '<%= config.bin %> <%= command.id %> hotel-aurora judged.jsonl --apply',
  ]
  static override args = {
    name: Args.string({ ignoreStdin: true, description: 'name of the project', required: true }),
    file: Args.string({ ignoreStdin: true, description: 'judgements as JSON lines; without it they are asked' }),
  }
  static override flags = {
    apply: Flags.boolean({ description: 'set the suggested floor, if there is one', default: false }),
    save: Flags.string({
      description: 'append the answers to this file; those in it from before count too',
      helpValue: 'FILE',
    }),
    env: clientFlags.env,
    url: clientFlags.url,
    profile: clientFlags.profile,
  }

  async run(): Promise<Tuned> {
    const { args, flags } = await this.parse(ProjectsTune)
    if (args.file === undefined && !(process.stdin.isTTY && process.stderr.isTTY)) {
      throw usageError('no judgements given', 'name a file of them, or run the command on a terminal to be asked')
    }
    if (args.file !== undefined && flags.save !== undefined) {
      throw usageError('--save keeps answers, and with a file of judgements nothing is asked', 'leave one of them out')
    }
    return this.withClient({ ...flags, project: args.name }, async (session) => {
      const { project } = session
      if (!project) throw usageError('this command needs the operator token, not a key', 'unset PULLQUOTE_KEY')
      const judged =
        args.file === undefined ? await this.asked(session, args.name, flags.save) : await this.read(session, args.file)
      const outcomes = floorOutcomes(judged)
      const suggested = suggestedFloor(outcomes)
      if (!suggested || !judged.some(({ fits }) => fits)) {
        throw new CliError('no judgement says that a review fits', {
          hints: ['judge a few reviews that should appear'],
        })
      }
      const current = floorOutcome(judged, project.similarity_floor)
      const verdict = floorVerdict(judged, current, suggested)
      this.log(this.render(outcomes, current, verdict.move ? suggested : undefined))
      const applied = flags.apply && verdict.move
      if (applied) await requireOperator(session).setProject(project.id, { similarity_floor: suggested.floor })
      this.noteVerdict(verdict, { project, suggested, applied })
      if (flags.apply && !verdict.move && verdict.why === 'few') process.exitCode = EXIT.failed
      return { project: project.name, judgements: judged.length, current, suggested, verdict, applied, outcomes }
    })
  }

  private noteVerdict(
    verdict: Verdict,
    { project, suggested, applied }: { project: Project; suggested: FloorOutcome; applied: boolean },
  ): void {
    const now = project.similarity_floor
    const set = `${this.config.bin} projects set ${shellQuote(project.name)} --similarity-floor ${suggested.floor}`
    if (applied) this.info(`The floor is ${suggested.floor} now; it was ${now}.`)
    else if (verdict.move) this.info(`Set it with: ${set}`)
    else if (verdict.why === 'same') this.info(`The present floor does as well (${verdict.reason}): it stays ${now}.`)
    else this.info(`Too few judgements to move the floor: it takes ${verdict.reason}. It stays ${now}.`)
  }

  private async read({ client }: ClientSession, file: string): Promise<MeasuredJudgement[]> {
    // A later line about the same query and review takes the place of an earlier one.
    const judged = new Map<string, MeasuredJudgement>()
    let gone = 0
    const progress = this.progress('Looking at the judged reviews')
    try {
      for await (const record of readRecordFile(file, EXAMPLE)) {
        const checked = v.safeParse(judgement, record.ok ? record.value : undefined)
        if (!checked.success) {
          throw new CliError(`line ${record.line} of ${file} is not {"query","review","fits"}`, {
            hints: [EXAMPLE],
          })
        }
        const { query, review } = checked.output
        const explained = await explainReview(client, query, review, this.interruptSignal)
        if (!explained) {
          gone++
          continue
        }
        const excerpts = (explained.review?.excerpts ?? []).flatMap(measureExcerpt)
        judged.set(judgementKey(checked.output), { ...checked.output, excerpts })
        progress.update(`Looking at the judged reviews: ${judged.size}`)
      }
    } finally {
      progress.stop()
    }
    if (gone > 0)
      this.info(`${judgements(gone)} left out: the review is not in this project and environment (any more).`)
    return [...judged.values()]
  }

  /** Asks on the terminal; what the file of `--save` holds from before counts too. */
  private async asked(session: ClientSession, name: string, save: string | undefined): Promise<MeasuredJudgement[]> {
    const before = save !== undefined && (await exists(save)) ? await this.read(session, save) : []
    if (save === undefined) this.info('The answers are forgotten at the end; --save FILE keeps them.')
    else if (before.length > 0) this.info(`${save} holds ${judgements(before.length)}, which count too.`)
    let answers = 0
    try {
      const judged = await promptForJudgements({
        judge: await terminalPrompts(this.stderrTerminal, this.interruptSignal),
        known: before.map(judgementKey),
        nearest: async (query) => {
          const options = { q: query, floor: ASK_FROM, limit: ASK_PER_QUERY, mode: 'reviews' } as const
          return (await session.client.explain(options, this.interruptSignal)).results
        },
        keep: async (one) => {
          if (save !== undefined) await appendLine(save, JSON.stringify(one))
          answers++
        },
      })
      return [...before, ...judged]
    } catch (error) {
      if (!isInterruption(error)) throw error
      if (before.length + answers === 0) throw interruptedError('interrupted; nothing was judged')
      if (save === undefined) {
        throw interruptedError(
          `interrupted; ${judgements(answers)} forgotten`,
          'give --save FILE to keep them the next time',
        )
      }
      throw interruptedError(
        `interrupted; ${save} holds ${judgements(before.length + answers)}`,
        'run the same command again to go on where it ended',
        `see what they say so far: ${this.config.bin} projects tune ${name} ${save}`,
      )
    }
  }

  private render(
    outcomes: readonly FloorOutcome[],
    current: FloorOutcome,
    suggested: FloorOutcome | undefined,
  ): string {
    const shown = outcomes.filter(({ floor }) => Math.round(floor * 100) % 5 === 0 || floor === suggested?.floor)
    const rows = [...new Map([...shown, current].map((one) => [one.floor, one])).values()]
    rows.sort((a, b) => a.floor - b.floor)
    const mark = ({ floor }: FloorOutcome) =>
      [...(floor === suggested?.floor ? ['suggested'] : []), ...(floor === current.floor ? ['now'] : [])].join(', ')
    return table(
      rows,
      [
        { heading: 'FLOOR', value: ({ floor }) => floor.toFixed(2) },
        { heading: 'KEEPS', value: ({ kept }) => String(kept), align: 'right' },
        { heading: 'LOSES', value: ({ lost }) => String(lost), align: 'right' },
        { heading: 'WRONG', value: ({ wrong }) => String(wrong), align: 'right' },
        { heading: 'MEASURE', value: ({ measure }) => stars(Math.round(measure * 5)) },
        { heading: '', value: mark },
      ],
      this.terminal,
    )
  }
}

/** @returns `undefined` when there is no such review (any more) */
async function explainReview(client: Client, q: string, review: string, signal: AbortSignal) {
  try {
    return await client.explain({ q, review }, signal)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  }
}

/** Appends a line of its own, also to a file whose last line has no end. */
async function appendLine(file: string, line: string): Promise<void> {
  const handle = await open(file, 'a+')
  try {
    const { size } = await handle.stat()
    const last = Buffer.from('\n')
    if (size > 0) await handle.read(last, 0, 1, size - 1)
    await handle.appendFile(`${last.toString() === '\n' ? '' : '\n'}${line}\n`)
  } finally {
    await handle.close()
  }
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined
}

function judgements(count: number): string {
  return count === 1 ? '1 judgement' : `${count} judgements`
}
