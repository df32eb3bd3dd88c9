import { Flags } from '@oclif/core'
import { BaseCommand } from '../../cli/base-command.ts'
import { projectFlag, serverFlags } from '../../cli/flags.ts'
import { chooseProject } from '../../cli/projects.ts'
import { shellQuote } from '../../contract/shell-quote.ts'

export default class KeysCreate extends BaseCommand {
  static override description = `Creates an API key. It is shown only once; only its hash is stored.

A secret key can do everything and must stay on a server. A publishable key can only query, from the project's allowed \
origins, and can be used in a web page.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> --project hotel-aurora --kind secret --env live --name "shop backend"',
    'KEY=$(<%= config.bin %> <%= command.id %> --project hotel-aurora --kind publishable --env live)',
  ]
  static override flags = {
    project: projectFlag('project of the key; default: the only one'),
    kind: Flags.option({
      description: 'what the key can do',
      options: ['secret', 'publishable'] as const,
      required: true,
    })(),
    env: Flags.option({ description: 'environment of the key', options: ['live', 'test'] as const, required: true })(),
    name: Flags.string({ description: 'what the key is for, shown in `keys list`', helpValue: 'TEXT' }),
    ...serverFlags,
  }

  protected override readonly fieldLabels = { name: '--name' }

  async run() {
    const { flags } = await this.parse(KeysCreate)
    const made = await this.withOperator(flags, async (operator, session) => {
      const project = await chooseProject(operator, session.settings.project)
      const { kind, env, name } = flags
      const created = await operator.createKey({ project: project.id, kind, env, name })
      if (kind === 'publishable' && project.origins.length === 0) {
        this.info(
          `No origin is allowed yet. Try: ${this.config.bin} projects set ${shellQuote(project.name)} --add-origin URL`,
        )
      }
      return { ...created, project: project.name }
    })
    this.info('Keep this key: it is not shown again.')
    this.log(made.key)
    const { id, key, kind, env, project } = made
    return { id, key, kind, env, project }
  }
}
