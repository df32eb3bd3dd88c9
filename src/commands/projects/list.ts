import { BaseCommand } from '../../cli/base-command.ts'
import { serverFlags } from '../../cli/flags.ts'
import { projectTable } from '../../cli/projects.ts'
import type { Project } from '../../contract/project.ts'

export default class ProjectsList extends BaseCommand {
  static override description = 'Lists the projects with their plan, counts and settings.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json']
  static override flags = { ...serverFlags }

  async run(): Promise<{ projects: Project[] }> {
    const { flags } = await this.parse(ProjectsList)
    const projects = await this.withOperator(flags, (operator) => operator.projects())
    if (projects.length === 0) this.info(`There are no projects yet. Try: ${this.config.bin} projects create NAME`)
    else this.log(projectTable(projects, this.terminal))
    return { projects }
  }
}
