import { BaseCommand } from '../../cli/base-command.ts'
import { requiredArg, serverFlags, yesFlag } from '../../cli/flags.ts'
import { describeKey, findKey } from '../../cli/keys.ts'

export default class KeysRevoke extends BaseCommand {
  static override description = 'Revokes an API key. It stops working at once.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 3f0c9a4e-8f55-4d0b-9a54-0f6f5b1f7f10',
    '<%= config.bin %> <%= command.id %> 3f0c9a4e --yes',
  ]
  static override args = { id: requiredArg('id of the key from `keys list`, or its first characters') }
  static override flags = { ...yesFlag, ...serverFlags }

  async run(): Promise<{ revoked: boolean; id: string }> {
    const { args, flags } = await this.parse(KeysRevoke)
    const key = await this.withOperator(flags, (operator) => findKey(operator, args.id))
    const question = `Revoke the key ${describeKey(key)}? Anything that uses it stops working at once.`
    await this.confirm(question, { given: flags.yes, otherwise: 'nothing was revoked' })
    await this.withOperator(flags, (operator) => operator.revokeKey(key.id, this.interruptSignal))
    this.info(`Revoked the key ${describeKey(key)}.`)
    return { revoked: true, id: key.id }
  }
}
