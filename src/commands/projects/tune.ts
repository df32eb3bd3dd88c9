import { createReadStream } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { Args, Flags } from '@oclif/core'
import * as v from 'valibot'
import { BaseCommand } from '../../cli/base-command.ts'
import { CliError, usageError } from '../../cli/failure.ts'
import { clientFlags } from '../../cli/flags.ts'
import { oneLine } from '../../cli/printable.ts'
import { readRecords } from '../../cli/read-records.ts'
import { type ClientSession, requireOperator } from '../../cli/session.ts'
import { stars } from '../../cli/stars.ts'
import { table } from '../../cli/table.ts'
import { type FloorOutcome, floorOutcomes, type Judged, outcomeOf, suggestedFloor } from '../../cli/tune.ts'
import type { ExplainedExcerpt } from '../../contract/explain.ts'

const judgement = v.strictObject({ query: v.string(), review: v.string(), fits: v.boolean() })

interface Tuned {
  project: string
  judgements: number
  current: FloorOutcome
  suggested: FloorOutcome
  applied: boolean
  outcomes: FloorOutcome[]
}

/** How far below the floor reviews are shown for judging. */
const ASK_FROM = 0.4
const ASK_PER_QUERY = 8

export default class ProjectsTune extends BaseCommand {
  static override description = `Suggests a relevance floor from queries with reviews that fit or do not fit.

The judgements come from a file of JSON lines, {"query":"sea bass","review":"ID","fits":true}, or are asked one by one on a \
terminal. For each floor the table shows what it keeps, loses and lets in wrongly; a wrong result weighs more than a lost one.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> hotel-aurora --save judged.jsonl   # asks',
    '<%= config.bin %> <%= command.id %> hotel-aurora judged.jsonl --apply',
  ]
  static override args = {
    name: Args.string({ ignoreStdin: true, description: 'name of the project', required: true }),
    file: Args.string({ ignoreStdin: true, description: 'judgements as JSON lines; without it they are asked' }),
  }
  static override flags = {
    apply: Flags.boolean({ description: 'set the suggested floor', default: false }),
    save: Flags.string({ description: 'append the judgements that are asked to this file', helpValue: 'FILE' }),
    env: clientFlags.env,
    url: clientFlags.url,
    profile: clientFlags.profile,
  }

  async run(): Promise<Tuned> {
    const { args, flags } = await this.parse(ProjectsTune)
    if (args.file === undefined && !(process.stdin.isTTY && process.stderr.isTTY)) {
      throw usageError('no judgements given', 'name a file of them, or run the command on a terminal to be asked')
    }
    return this.withClient({ ...flags, project: args.name }, async (session) => {
      const { project } = session
      if (!project) throw usageError('this command needs the operator token, not a key', 'unset PULLQUOTE_KEY')
      const judged =
        args.file === undefined ? await this.asked(session, flags.save) : await this.read(session, args.file)
      const outcomes = floorOutcomes(judged)
      const suggested = suggestedFloor(outcomes)
      if (!suggested || !judged.some(({ fits }) => fits)) {
        throw new CliError('no judgement says that a review fits', {
          hints: ['judge a few reviews that should appear'],
        })
      }
      const current = outcomeOf(judged, project.similarity_floor)
      this.log(this.render(outcomes, current, suggested))
      if (flags.apply) await requireOperator(session).setProject(project.id, { similarity_floor: suggested.floor })
      const command = `${this.config.bin} projects set ${project.name} --similarity-floor ${suggested.floor}`
      this.note(flags.apply ? `The floor is ${suggested.floor} now.` : `Set it with: ${command}`)
      return { project: project.name, judgements: judged.length, current, suggested, applied: flags.apply, outcomes }
    })
  }

  private async read({ client }: ClientSession, file: string): Promise<Judged[]> {
    const judged: Judged[] = []
    const progress = this.progress('Looking at the judged reviews')
    try {
      for await (const record of readRecords(createReadStream(file))) {
        const checked = v.safeParse(judgement, record.ok ? record.value : undefined)
        if (!checked.success) {
          throw new CliError(`line ${record.line} of ${file} is not {"query","review","fits"}`, {
            hints: ['for example: {"query":"sea bass","review":"3f0c9a4e-…","fits":true}'],
          })
        }
        const { query, review, fits } = checked.output
        const explained = await client.explain({ q: query, review }, this.interruptSignal)
        judged.push({ query, review, fits, excerpts: (explained.review?.excerpts ?? []).flatMap(measured) })
        progress.update(`Looking at the judged reviews: ${judged.length}`)
      }
    } finally {
      progress.stop()
    }
    return judged
  }

  private async asked({ client }: ClientSession, save: string | undefined): Promise<Judged[]> {
    const { input, select } = await import('@inquirer/prompts')
    const context = { output: process.stderr, signal: this.interruptSignal }
    const choices = [
      { name: 'yes', value: 'yes' },
      { name: 'no', value: 'no' },
      { name: 'cannot say', value: 'skip' },
    ]
    const judged: Judged[] = []
    for (;;) {
      const query = (await input({ message: 'What would a visitor search? (empty: enough)' }, context)).trim()
      if (query === '') return judged
      const { results } = await client.explain(
        { q: query, floor: ASK_FROM, limit: ASK_PER_QUERY, mode: 'reviews' },
        this.interruptSignal,
      )
      if (results.length === 0) this.talk('  Nothing comes near.')
      for (const result of results) {
        const message = `Does this fit? “${oneLine(result.excerpt)}”`
        const answer = await select({ message, choices }, context)
        if (answer === 'skip') continue
        const one = { query, review: result.review_id, fits: answer === 'yes' }
        judged.push({ ...one, excerpts: measured(result) })
        if (save !== undefined) await appendFile(save, `${JSON.stringify(one)}\n`)
      }
    }
  }

  private render(outcomes: readonly FloorOutcome[], current: FloorOutcome, suggested: FloorOutcome): string {
    const shown = outcomes.filter(({ floor }) => Math.round(floor * 100) % 5 === 0 || floor === suggested.floor)
    const rows = [...new Map([...shown, current].map((one) => [one.floor, one])).values()]
    rows.sort((a, b) => a.floor - b.floor)
    const mark = ({ floor }: FloorOutcome) =>
      [...(floor === suggested.floor ? ['suggested'] : []), ...(floor === current.floor ? ['now'] : [])].join(', ')
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

function measured({ cosine, words_matched, words_needed }: ExplainedExcerpt): Judged['excerpts'] {
  if (cosine === null) return []
  return [{ cosine, matchesHalf: words_needed > 0 && words_matched.length >= words_needed }]
}
