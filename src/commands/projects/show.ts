import { BaseCommand } from '../../cli/base-command.ts'
import { requiredArg, serverFlags } from '../../cli/flags.ts'
import { findProject, projectDetails } from '../../cli/projects.ts'
import type { Project } from '../../contract/project.ts'

export default class ProjectsShow extends BaseCommand {
  static override description = 'Shows one project.'
  static override examples = ['<%= config.bin %> <%= command.id %> hotel-aurora']
  static override args = { name: requiredArg('name or id of the project') }
  static override flags = { ...serverFlags }

  async run(): Promise<Project> {
    const { args, flags } = await this.parse(ProjectsShow)
    const project = await this.withOperator(flags, (operator) => findProject(operator, args.name))
    this.log(projectDetails(project, this.terminal))
    return project
  }
}
