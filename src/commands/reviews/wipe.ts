import { Flags } from '@oclif/core'
import { BaseCommand } from '../../cli/base-command.ts'
import { confirmed } from '../../cli/confirm.ts'
import { serverFlags, yesFlag } from '../../cli/flags.ts'
import { chooseProject, requireOperator } from '../../cli/session.ts'

export default class ReviewsWipe extends BaseCommand {
  static override description = `Deletes all reviews of one environment of a project.

The other environment, the project's settings and its keys stay.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> --env test',
    '<%= config.bin %> <%= command.id %> --env test --project hotel-aurora --yes',
  ]
  static override flags = {
    env: Flags.option({ description: 'environment to empty', options: ['live', 'test'] as const, required: true })(),
    project: Flags.string({
      description: 'project; default: the only one [env: PULLQUOTE_PROJECT]',
      helpValue: 'NAME',
    }),
    ...yesFlag,
    ...serverFlags,
  }

  async run(): Promise<{ deleted: number; project: string; env: 'live' | 'test' }> {
    const { flags } = await this.parse(ReviewsWipe)
    const { env } = flags
    return this.withSession(flags, async (session) => {
      const operator = requireOperator(session)
      const project = await chooseProject(operator, session.settings.project)
      const question = `Delete all ${project.reviews[env].toLocaleString('en')} ${env} reviews of ${project.name}?`
      const agreed = await confirmed(question, { yes: flags.yes, ...(env === 'live' ? { typed: project.name } : {}) })
      const deleted = agreed ? await operator.wipe({ project: project.name, env }) : 0
      if (agreed) this.log(`Deleted ${deleted.toLocaleString('en')} ${env} reviews of ${project.name}.`)
      else this.note('Nothing was deleted.')
      return { deleted, project: project.name, env }
    })
  }
}
