import { Args } from '@oclif/core'
import { BaseCommand } from '../../cli/base-command.ts'
import { confirmed } from '../../cli/confirm.ts'
import { serverFlags, yesFlag } from '../../cli/flags.ts'
import { findKey } from '../../cli/key-lines.ts'
import { requireOperator } from '../../cli/session.ts'

export default class KeysRevoke extends BaseCommand {
  static override description = 'Revokes an API key: from now on it is refused.'
  static override examples = ['<%= config.bin %> <%= command.id %> 3f0c9a4e-8f55-4d0b-9a54-0f6f5b1f7f10']
  static override args = {
    id: Args.string({ ignoreStdin: true, description: 'id of the key, from `keys list`', required: true }),
  }
  static override flags = { ...yesFlag, ...serverFlags }

  async run(): Promise<{ revoked: boolean; id: string }> {
    const { args, flags } = await this.parse(KeysRevoke)
    // Revoking is what one does in a hurry: a script is not asked.
    const asks = process.stdin.isTTY === true && process.stderr.isTTY === true && !this.jsonEnabled()
    const revoked = await confirmed(`Revoke the key ${args.id}?`, { yes: flags.yes || !asks })
    if (revoked) {
      await this.withSession(flags, async (session) => {
        const operator = requireOperator(session)
        await operator.revokeKey((await findKey(operator, args.id)).id)
      })
    }
    this.note(revoked ? `Revoked the key ${args.id}.` : 'Nothing was revoked.')
    return { revoked, id: args.id }
  }
}
