import { BaseCommand } from '../../cli/base-command.ts'
import { requiredArg, serverFlags } from '../../cli/flags.ts'
import { findKey } from '../../cli/keys.ts'
import type { ListedKey } from '../../contract/key.ts'
import { KEY_MAX_DAYS } from '../../contract/limits.ts'

export default class KeysRotate extends BaseCommand {
  static override description =
    `Creates a key with the same project, kind, environment, name and lifetime as an existing one.

The old key keeps working until you revoke it, so that you can put the new one in place first.`
  static override examples = ['<%= config.bin %> <%= command.id %> 3f0c9a4e-8f55-4d0b-9a54-0f6f5b1f7f10']
  static override args = { id: requiredArg('id of the key to replace, from `keys list`, or its first characters') }
  static override flags = { ...serverFlags }

  async run() {
    const { args, flags } = await this.parse(KeysRotate)
    const made = await this.withOperator(flags, async (operator) => {
      const old = await findKey(operator, args.id)
      const { project, kind, env, name } = old
      const made = await operator.createKey({
        project,
        kind,
        env,
        name: name ?? undefined,
        expires_in_seconds: lifetime(old),
      })
      return { ...made, project, replaces: old.id }
    })
    this.info('Keep this key: it is not shown again.')
    this.log(made.key)
    if (made.expires_at !== null) this.info(`Like the old one it expires: at ${made.expires_at}.`)
    this.info(`When it is in place, revoke the old one: ${this.config.bin} keys revoke ${made.replaces}`)
    const { id, key, kind, env, project, replaces } = made
    return { id, key, kind, env, project, replaces }
  }
}

/** In seconds; undefined for a key that does not expire. A clock set back in between may have made it too long or none. */
function lifetime({ created_at, expires_at }: ListedKey): number | undefined {
  if (expires_at === null) return undefined
  const seconds = Math.round((Date.parse(expires_at) - Date.parse(created_at)) / 1000)
  return Math.min(Math.max(1, seconds), KEY_MAX_DAYS * 86_400)
}
