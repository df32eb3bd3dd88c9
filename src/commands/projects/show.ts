import { Args } from '@oclif/core'
import { BaseCommand } from '../../cli/base-command.ts'
import { serverFlags } from '../../cli/flags/connection.ts'
import { findProject } from '../../cli/projects/find-project.ts'
import { projectDetails } from '../../cli/projects/table.ts'
import type { Project } from '../../contract/project.ts'

export default class ProjectsShow extends BaseCommand {
  static override description = 'Shows one project.'
  static override examples = ['<%= config.bin %> <%= command.id %> hotel-aurora']
  static override args = {
    name: Args.string({ ignoreStdin: true, description: 'name or id of the project', required: true }),
  }
  static override flags = { ...serverFlags }

  async run(): Promise<Project> {
    const { args, flags } = await this.parse(ProjectsShow)
    const project = await this.withOperator(flags, (operator) => findProject(operator, args.name))
    this.log(projectDetails(project, this.terminal))
    return project
  }
}
