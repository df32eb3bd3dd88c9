import { BaseCommand } from '../../cli/base-command.ts'
import { requiredArg, serverFlags } from '../../cli/flags.ts'
import { findKey } from '../../cli/keys.ts'

export default class KeysRotate extends BaseCommand {
  static override description = `Creates a key with the same project, kind, environment and name as an existing one.

The old key keeps working until you revoke it, so that you can put the new one in place first.`
  static override examples = ['<%= config.bin %> <%= command.id %> 3f0c9a4e-8f55-4d0b-9a54-0f6f5b1f7f10']
  static override args = { id: requiredArg('id of the key to replace, from `keys list`, or its first characters') }
  static override flags = { ...serverFlags }

  async run() {
    const { args, flags } = await this.parse(KeysRotate)
    const made = await this.withOperator(flags, async (operator) => {
      const old = await findKey(operator, args.id)
      const { project, kind, env, name } = old
      const made = await operator.createKey({ project, kind, env, name: name ?? undefined })
      return { ...made, project, replaces: old.id }
    })
    this.info('Keep this key: it is not shown again.')
    this.log(made.key)
    this.info(`When it is in place, revoke the old one: ${this.config.bin} keys revoke ${made.replaces}`)
    const { id, key, kind, env, project, replaces } = made
    return { id, key, kind, env, project, replaces }
  }
}
