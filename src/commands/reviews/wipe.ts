import { Flags } from '@oclif/core'
import { BaseCommand } from '../../cli/base-command.ts'
import { projectFlag, serverFlags, yesFlag } from '../../cli/flags.ts'
import { chooseProject } from '../../cli/projects.ts'
import { formatCount, pluralize } from '../../contract/counts.ts'

export default class ReviewsWipe extends BaseCommand {
  static override description = `Deletes all reviews of one environment of a project.

The rows that its imports skipped, which the server keeps for a week, are deleted too. The other environment and the \
project's settings and keys are kept.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> --env test',
    '<%= config.bin %> <%= command.id %> --env test --project hotel-aurora --yes',
  ]
  static override flags = {
    env: Flags.option({ description: 'environment to empty', options: ['live', 'test'] as const, required: true })(),
    project: projectFlag(),
    ...yesFlag,
    ...serverFlags,
  }

  async run(): Promise<{ deleted: number; project: string; env: 'live' | 'test' }> {
    const { flags } = await this.parse(ReviewsWipe)
    const { env } = flags
    const { id, name, reviews } = await this.withOperator(flags, (operator, { settings }) =>
      chooseProject(operator, settings.project),
    )
    const question = `Delete all ${formatCount(reviews[env])} ${env} reviews of ${name}?`
    const typed = env === 'live' ? { typed: name } : {}
    await this.confirm(question, { given: flags.yes, ...typed, otherwise: 'nothing was deleted' })
    const deleted = await this.withOperator(flags, (operator) => operator.wipe({ project: id, env }))
    this.log(`Deleted ${pluralize(deleted, `${env} review`)} of ${name}.`)
    return { deleted, project: name, env }
  }
}
