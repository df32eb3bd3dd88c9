import { Flags } from '@oclif/core'
import { BaseCommand } from '../../cli/base-command.ts'
import { isLive, linkTable } from '../../cli/console.ts'
import { serverFlags } from '../../cli/flags.ts'
import type { ListedConsoleLink } from '../../contract/console-link.ts'

export default class ConsoleList extends BaseCommand {
  static override description =
    'Lists links to the console: who they are for, and how many people are signed in with them.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --all']
  static override flags = {
    all: Flags.boolean({ description: 'include expired and revoked links', default: false }),
    ...serverFlags,
  }

  async run(): Promise<{ links: ListedConsoleLink[] }> {
    const { flags } = await this.parse(ConsoleList)
    const now = new Date()
    const all = await this.withOperator(flags, (operator) => operator.consoleLinks())
    const links = flags.all ? all : all.filter((link) => isLive(link, now))
    if (links.length === 0) this.info(`There are no links. Try: ${this.config.bin} console`)
    else this.log(linkTable(links, now, this.terminal))
    return { links }
  }
}
