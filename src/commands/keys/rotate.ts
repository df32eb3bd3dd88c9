import { Args } from '@oclif/core'
import { BaseCommand } from '../../cli/base-command.ts'
import { serverFlags } from '../../cli/flags/connection.ts'
import { findKey } from '../../cli/keys/find-key.ts'
import type { CreatedKey } from '../../contract/key.ts'

type RotatedKey = Pick<CreatedKey, 'id' | 'key' | 'kind' | 'env' | 'project'> & { replaces: string }

export default class KeysRotate extends BaseCommand {
  static override description = `Makes a key of the same project, kind, environment and name as an existing one.

The old key goes on working until it is revoked, so that the new one can be put in place first.`
  static override examples = ['<%= config.bin %> <%= command.id %> 3f0c9a4e-8f55-4d0b-9a54-0f6f5b1f7f10']
  static override args = {
    id: Args.string({
      ignoreStdin: true,
      description: 'id of the key to replace, from `keys list`, or how it begins',
      required: true,
    }),
  }
  static override flags = { ...serverFlags }

  async run(): Promise<RotatedKey> {
    const { args, flags } = await this.parse(KeysRotate)
    const made = await this.withOperator(flags, async (operator) => {
      const old = await findKey(operator, args.id)
      const { project, kind, env, name } = old
      const made = await operator.createKey({ project, kind, env, name: name ?? undefined })
      return { ...made, project, replaces: old.id }
    })
    this.info('Keep this key: it is not shown again.')
    this.log(made.key)
    this.info(`When it is in place, end the old one: ${this.config.bin} keys revoke ${made.replaces}`)
    const { id, key, kind, env, project, replaces } = made
    return { id, key, kind, env, project, replaces }
  }
}
