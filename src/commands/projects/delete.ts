import { BaseCommand } from '../../cli/base-command.ts'
import { requiredArg, serverFlags, yesFlag } from '../../cli/flags.ts'
import { findProject } from '../../cli/projects.ts'
import { formatCount } from '../../contract/counts.ts'

export default class ProjectsDelete extends BaseCommand {
  static override description = 'Deletes a project, with its keys and its reviews in both environments.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> hotel-aurora',
    '<%= config.bin %> <%= command.id %> hotel-aurora --yes',
  ]
  static override args = { name: requiredArg('name or id of the project') }
  static override flags = { ...yesFlag, ...serverFlags }

  async run(): Promise<{ deleted: boolean; project: string }> {
    const { args, flags } = await this.parse(ProjectsDelete)
    const { id, name, reviews } = await this.withOperator(flags, (operator) => findProject(operator, args.name))
    const count = formatCount(reviews.live + reviews.test)
    const question = `Delete the project ${name} with ${count} reviews and all its keys?`
    await this.confirm(question, { given: flags.yes, typed: name, otherwise: 'nothing was deleted' })
    await this.withOperator(flags, (operator) => operator.deleteProject(id))
    this.info(`Deleted the project ${name}.`)
    return { deleted: true, project: name }
  }
}
