import { Flags } from '@oclif/core'
import { BaseCommand } from '../../cli/base-command.ts'
import { projectFlag, serverFlags } from '../../cli/flags.ts'
import { keyState, keyTable } from '../../cli/keys.ts'
import { findProject } from '../../cli/projects.ts'
import type { ListedKey } from '../../contract/key.ts'

export default class KeysList extends BaseCommand {
  static override description =
    `Lists API keys by their last characters, with name, last use and expiry; the keys themselves are not stored.

A key named "commands on …" is shared by the commands on that machine that are given no key. It expires by itself.`
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --project hotel-aurora --all',
  ]
  static override flags = {
    project: projectFlag('only keys of this project'),
    all: Flags.boolean({ description: 'include revoked and expired keys', default: false }),
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
    if (keys.length === 0) this.info(`There are no keys. Try: ${this.config.bin} keys create --kind secret --env live`)
    else this.log(keyTable(keys, now, this.terminal))
    return { keys }
  }
}
