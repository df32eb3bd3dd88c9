import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../cli/base-command.ts'
import { requireOperator } from '../../cli/connection/session.ts'
import { CliError, EXIT, usageError } from '../../cli/errors/cli-error.ts'
import { clientFlags, requiredArg } from '../../cli/flags.ts'
import { isAtTerminal } from '../../cli/prompts.ts'
import {
  floorOutcome,
  floorOutcomes,
  floorTable,
  floorVerdict,
  MINIMUM,
  suggestedFloor,
  type Verdict,
} from '../../cli/tune/floors.ts'
import { collectJudgements, readJudgements } from '../../cli/tune/judgements.ts'
import type { Project } from '../../contract/project.ts'
import { shellQuote } from '../../contract/shell-quote.ts'

export default class ProjectsTune extends BaseCommand {
  static override description =
    `Suggests a relevance floor, based on your judgements of which reviews fit which queries.

Give the judgements as a file of JSON lines, {"query":"sea bass","review":"ID","fits":true}, or answer questions on a \
terminal. With --save each answer is kept at once, and you can run the same command again to continue. For each floor the \
table shows how many results it keeps, loses and lets in wrongly; a wrong result weighs more than a lost one.

A new floor is suggested only if there are at least ${MINIMUM.judgements} judgements on ${MINIMUM.queries} queries, at least ${MINIMUM.ofEachKind} of them for reviews that fit and \
${MINIMUM.ofEachKind} for reviews that do not, and if it is clearly better, even with any one of the queries left out.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> hotel-aurora --save judged.jsonl   # asks',
    '<%= config.bin %> <%= command.id %> hotel-aurora judged.jsonl --apply',
  ]
  static override args = {
    name: requiredArg('name of the project'),
    file: Args.string({ ignoreStdin: true, description: 'judgements as JSON lines; if left out, you are asked' }),
  }
  static override flags = {
    apply: Flags.boolean({ description: 'set the suggested floor, if there is one', default: false }),
    save: Flags.string({
      description: 'append the answers to this file; those already in it count too',
      helpValue: 'FILE',
    }),
    env: clientFlags.env,
    url: clientFlags.url,
    profile: clientFlags.profile,
  }

  async run() {
    const { args, flags } = await this.parse(ProjectsTune)
    if (args.file === undefined && !isAtTerminal()) {
      throw usageError('no judgements given', 'give a file of judgements, or run the command on a terminal to be asked')
    }
    if (args.file !== undefined && flags.save !== undefined) {
      throw usageError(
        '--save cannot be used with a file of judgements, since nothing is asked then',
        'leave one of them out',
      )
    }
    return this.withClient({ ...flags, project: args.name }, async (session) => {
      const { project } = session
      if (!project) throw usageError('this command needs the operator token, not a key', 'unset PULLQUOTE_KEY')
      const context = { terminal: this.stderrTerminal, signal: this.interruptSignal, reporter: this }
      const judged =
        args.file === undefined
          ? await collectJudgements(session, flags.save, context)
          : await readJudgements(args.file, session.client, context)
      const outcomes = floorOutcomes(judged)
      const suggested = suggestedFloor(outcomes)
      if (!suggested || !judged.some(({ fits }) => fits)) {
        throw new CliError('no judgement says that a review fits', {
          hints: ['judge a few reviews that should appear'],
        })
      }
      const current = floorOutcome(judged, project.similarity_floor)
      const verdict = floorVerdict(judged, current, suggested)
      this.log(floorTable(outcomes, current, verdict.move ? suggested : undefined, this.terminal))
      const applied = flags.apply && verdict.move
      if (applied) await requireOperator(session).setProject(project.id, { similarity_floor: suggested.floor })
      this.reportVerdict(verdict, project, suggested.floor, applied)
      if (flags.apply && !verdict.move && verdict.why === 'few') process.exitCode = EXIT.failed
      // The suggested floor is the best by the judgements; the verdict says whether they are sufficient.
      return { project: project.name, judgements: judged.length, current, suggested, verdict, applied, outcomes }
    })
  }

  private reportVerdict(
    verdict: Verdict,
    { name, similarity_floor: now }: Project,
    floor: number,
    applied: boolean,
  ): void {
    const set = `${this.config.bin} projects set ${shellQuote(name)} --similarity-floor ${floor}`
    if (applied) this.info(`The floor is now ${floor}; it was ${now}.`)
    else if (verdict.move) this.info(`Set it with: ${set}`)
    else if (verdict.why === 'same')
      this.info(`The current floor does just as well (${verdict.reason}): it stays ${now}.`)
    else this.info(`Too few judgements to change the floor: ${verdict.reason} needed. It stays ${now}.`)
  }
}
