import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../cli/base-command.ts'
import { usageError } from '../../cli/failure.ts'
import { serverFlags } from '../../cli/flags.ts'
import { projectFields, projectFlags } from '../../cli/project-flags.ts'
import { projectDetails } from '../../cli/project-lines.ts'
import { findProject, requireOperator } from '../../cli/session.ts'
import type { Project } from '../../client/operator.ts'

export default class ProjectsSet extends BaseCommand {
  static override description = 'Changes settings of a project; what is not named stays.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> hotel-aurora --plan paid',
    '<%= config.bin %> <%= command.id %> hotel-aurora --similarity-floor 0.6 --min-rating 3',
    '<%= config.bin %> <%= command.id %> hotel-aurora --origin https://example.com --origin https://www.example.com',
  ]
  static override args = {
    name: Args.string({ ignoreStdin: true, description: 'name or id of the project', required: true }),
  }
  static override flags = {
    ...projectFlags,
    'no-origins': Flags.boolean({ description: 'allow no origin', exclusive: ['origin'] }),
    rename: Flags.string({ description: 'new name', helpValue: 'NAME' }),
    ...serverFlags,
  }

  async run(): Promise<Project> {
    const { args, flags } = await this.parse(ProjectsSet)
    const fields = { ...projectFields(flags), name: flags.rename }
    if (flags['no-origins']) fields.origins = []
    if (Object.values(fields).every((value) => value === undefined)) {
      throw usageError('nothing to set', 'name a setting, for example --min-rating 3')
    }
    const project = await this.withSession(flags, async (session) => {
      const operator = requireOperator(session)
      const found = await findProject(operator, args.name)
      return operator.setProject(found.id, fields)
    })
    this.log(projectDetails(project, this.terminal))
    return project
  }
}
