import { Flags } from '@oclif/core'
import { BaseCommand } from '../../cli/base-command.ts'
import { usageError } from '../../cli/errors/cli-error.ts'
import { requiredArg, serverFlags } from '../../cli/flags.ts'
import {
  findProject,
  originFlag,
  PROJECT_FIELD_LABELS,
  parseOrigin,
  projectDetails,
  projectFields,
  projectFlags,
} from '../../cli/projects.ts'
import { formatCount } from '../../contract/counts.ts'
import type { Project } from '../../contract/project.ts'

export default class ProjectsSet extends BaseCommand {
  static override description = 'Changes settings of a project; settings that you do not give stay as they are.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> hotel-aurora --plan paid',
    '<%= config.bin %> <%= command.id %> hotel-aurora --similarity-floor 0.6 --min-rating 3',
    '<%= config.bin %> <%= command.id %> hotel-aurora --add-origin https://blog.example.com',
    '<%= config.bin %> <%= command.id %> hotel-aurora --origin https://example.com --origin https://www.example.com',
  ]
  static override args = { name: requiredArg('name or id of the project') }
  static override flags = {
    ...projectFlags,
    'add-origin': originFlag('allow this origin in addition'),
    'remove-origin': originFlag('stop allowing this origin'),
    'no-origins': Flags.boolean({ description: 'allow no origins', exclusive: ['origin'] }),
    rename: Flags.string({ description: 'new name', helpValue: 'NAME' }),
    ...serverFlags,
  }

  protected override readonly fieldLabels = {
    ...PROJECT_FIELD_LABELS,
    name: '--rename',
    add_origins: '--add-origin',
    remove_origins: '--remove-origin',
  }

  async run(): Promise<Project> {
    const { args, flags } = await this.parse(ProjectsSet)
    const fields = { ...projectFields(flags), name: flags.rename }
    if (flags['no-origins']) fields.origins = []
    const added = flags['add-origin']?.map(parseOrigin) ?? []
    const removed = flags['remove-origin']?.map(parseOrigin) ?? []
    const changesOrigins = added.length + removed.length > 0
    // Not declared as `exclusive`: for flags that exclude the same ones oclif's help prints "[--remove-origin URL... |  | ]".
    if (changesOrigins && fields.origins !== undefined) {
      const whole = flags['no-origins'] ? '--no-origins' : '--origin'
      const part = added.length > 0 ? '--add-origin' : '--remove-origin'
      throw usageError(`${whole} cannot be used with ${part}`, `${this.config.bin} projects set --help`)
    }
    if (!changesOrigins && Object.values(fields).every((value) => value === undefined)) {
      throw usageError('nothing to set', 'give a setting, for example --min-rating 3')
    }
    const project = await this.withOperator(flags, async (operator) => {
      const found = await findProject(operator, args.name)
      requireOrigins(found, removed)
      // Not as a whole list: another change between reading and writing it would be undone.
      const origins = { add_origins: ifAny(added), remove_origins: ifAny(removed) }
      return operator.setProject(found.id, { ...fields, ...origins })
    })
    this.log(projectDetails(project, this.terminal))
    const { reviews, review_limit: limit = Number.POSITIVE_INFINITY } = project
    const stored = reviews.live + reviews.test
    if (stored > limit) {
      this.info(
        `It has ${formatCount(stored)} reviews, and its plan is for ${formatCount(limit)}: they all stay, but no new ones are stored.`,
      )
    }
    return project
  }
}

/** @throws {CliError} usage, when an origin to remove is not among the project's */
function requireOrigins({ name, origins }: Project, removed: string[]): void {
  const strange = removed.filter((origin) => !origins.includes(origin))
  if (strange.length === 0) return
  const allowed = origins.length === 0 ? 'it has none' : `it has: ${origins.join(', ')}`
  throw usageError(`${strange.join(', ')} is not among the origins of ${name}`, allowed)
}

function ifAny(origins: string[]): string[] | undefined {
  return origins.length > 0 ? origins : undefined
}
