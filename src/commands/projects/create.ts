import { BaseCommand } from '../../cli/base-command.ts'
import { requiredArg, serverFlags } from '../../cli/flags.ts'
import { PROJECT_FIELD_LABELS, projectDetails, projectFields, projectFlags } from '../../cli/projects.ts'
import { promptForExcerpts } from '../../cli/prompts.ts'
import type { Project } from '../../contract/project.ts'
import { shellQuote } from '../../contract/shell-quote.ts'

export default class ProjectsCreate extends BaseCommand {
  static override description = 'Creates a project: one business or site, with its own reviews, keys and settings.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> hotel-aurora',
    '<%= config.bin %> <%= command.id %> hotel-aurora --plan paid --origin https://www.example.com',
    '<%= config.bin %> <%= command.id %> hotel-aurora --excerpts no_complaints',
  ]
  static override args = { name: requiredArg('name of the project') }
  static override flags = { ...projectFlags, ...serverFlags }

  protected override readonly fieldLabels = { ...PROJECT_FIELD_LABELS, name: 'the name' }

  async run(): Promise<Project> {
    const { args, flags } = await this.parse(ProjectsCreate)
    const isAsked = flags.excerpts === undefined && !this.jsonEnabled()
    const made = await this.withOperator(flags, (operator) =>
      operator.createProject({ ...projectFields(flags), name: args.name }),
    )
    // Asked only after the project exists, since the name may be taken or no further project allowed, and outside the
    // session, so that nobody waits for the embedded database meanwhile.
    const excerpts = isAsked ? await promptForExcerpts(this.interruptSignal) : undefined
    const project =
      excerpts === 'no_complaints'
        ? await this.withOperator(flags, (operator) => operator.setProject(made.id, { excerpts }))
        : made
    this.log(projectDetails(project, this.terminal))
    this.info(`Next: ${this.config.bin} reviews push FILE --project ${shellQuote(project.name)}`)
    return project
  }
}
