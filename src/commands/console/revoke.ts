import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../cli/base-command.ts'
import { findLink, isLive } from '../../cli/console.ts'
import { usageError } from '../../cli/errors/cli-error.ts'
import { serverFlags, yesFlag } from '../../cli/flags.ts'

export default class ConsoleRevoke extends BaseCommand {
  static override description = 'Revokes a link to the console and signs out everybody who used it.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 3f0c9a4e',
    '<%= config.bin %> <%= command.id %> --all --yes   # everybody, the operator included',
  ]
  static override args = {
    id: Args.string({ ignoreStdin: true, description: 'id of the link from `console list`, or its first characters' }),
  }
  static override flags = {
    all: Flags.boolean({ description: 'every link', default: false }),
    ...yesFlag,
    ...serverFlags,
  }

  async run(): Promise<{ revoked: string[] }> {
    const { args, flags } = await this.parse(ConsoleRevoke)
    const { id } = args
    if ((id === undefined) !== flags.all) throw usageError('give a link or --all', `${this.config.bin} console list`)
    const now = new Date()
    const links = await this.withOperator(flags, async (operator) =>
      id === undefined
        ? (await operator.consoleLinks()).filter((link) => isLive(link, now))
        : [await findLink(operator, id)],
    )
    const [first] = links
    if (!first) {
      this.info('There are no links to revoke.')
      return { revoked: [] }
    }
    const whom = links.length > 1 ? `${links.length} links` : `the link for ${first.project ?? 'the operator'}`
    const question = `Revoke ${whom}? Everybody who signed in with it is signed out at once.`
    await this.confirm(question, { given: flags.yes, otherwise: 'nothing was revoked' })
    await this.withOperator(flags, async (operator) => {
      for (const link of links) await operator.revokeConsoleLink(link.id)
    })
    this.info(`Revoked ${whom}.`)
    return { revoked: links.map((link) => link.id) }
  }
}
