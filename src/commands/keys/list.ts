import { Flags } from '@oclif/core'
import { BaseCommand } from '../../cli/base-command.ts'
import { projectFlag, serverFlags } from '../../cli/flags.ts'
import { keyState, keyTable } from '../../cli/keys.ts'
import { findProject } from '../../cli/projects.ts'
import type { ListedKey } from '../../contract/key.ts'

export default class KeysList extends BaseCommand {
  static override description =
    `Lists API keys by their last characters, with name, last use and end; the keys themselves are not stored.

A key "commands on …" is the one that commands without a key of their own share on that machine; it ends by itself.`
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --project hotel-aurora --all',
  ]
  static override flags = {
    project: projectFlag('keys of this project only'),
    all: Flags.boolean({ description: 'also keys that are revoked or have expired', default: false }),
    ...serverFlags,
  }

  async run(): Promise<{ keys: ListedKey[] }> {
    const { flags } = await this.parse(KeysList)
    const now = new Date()
    const keys = await this.withOperator(flags, async (operator, session) => {
      const name = session.settings.project
      const all = await operator.keys(name === undefined ? undefined : (await findProject(operator, name)).name)
      return flags.all ? all : all.filter((key) => keyState(key, now) === 'active')
    })
    if (keys.length === 0) this.info(`There is no key. Try: ${this.config.bin} keys create --kind secret --env live`)
    else this.log(keyTable(keys, now, this.terminal))
    return { keys }
  }
}
