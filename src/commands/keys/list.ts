import { Flags } from '@oclif/core'
import { BaseCommand } from '../../cli/base-command.ts'
import { duration } from '../../cli/failure.ts'
import { serverFlags } from '../../cli/flags.ts'
import { findProject, requireOperator } from '../../cli/session.ts'
import { table } from '../../cli/table.ts'
import type { ListedKey } from '../../client/operator.ts'

export default class KeysList extends BaseCommand {
  static override description = 'Lists API keys by their last characters; the keys themselves are not stored.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --project hotel-aurora --all',
  ]
  static override flags = {
    project: Flags.string({ description: 'keys of this project only', helpValue: 'NAME' }),
    all: Flags.boolean({ description: 'also keys that are revoked or have expired', default: false }),
    ...serverFlags,
  }

  async run(): Promise<{ keys: ListedKey[] }> {
    const { flags } = await this.parse(KeysList)
    const now = new Date()
    const keys = await this.withSession(flags, async (session) => {
      const operator = requireOperator(session)
      const name = session.settings.project
      const all = await operator.keys(name === undefined ? undefined : (await findProject(operator, name)).name)
      return flags.all ? all : all.filter((key) => stateOf(key, now) === 'active')
    })
    if (keys.length === 0) this.note(`There is no key. Try: ${this.config.bin} keys create --kind secret --env live`)
    else this.log(this.render(keys, now))
    return { keys }
  }

  private render(keys: readonly ListedKey[], now: Date): string {
    return table(
      keys,
      [
        { heading: 'ID', value: ({ id }) => id },
        { heading: 'PROJECT', value: ({ project }) => project, flexible: true },
        { heading: 'KEY', value: ({ kind, env, hint }) => `${kind === 'secret' ? 'sk' : 'pk'}_${env}_…${hint}` },
        {
          heading: 'AGE',
          value: ({ created_at }) => {
            if (!this.terminal.interactive) return created_at
            return duration(Math.max(0, (now.getTime() - Date.parse(created_at)) / 1000))
          },
        },
        { heading: 'STATE', value: (key) => stateOf(key, now) },
      ],
      this.terminal,
    )
  }
}

function stateOf(key: ListedKey, now: Date): 'active' | 'revoked' | 'expired' {
  if (key.revoked_at !== null) return 'revoked'
  return key.expires_at !== null && new Date(key.expires_at) <= now ? 'expired' : 'active'
}
