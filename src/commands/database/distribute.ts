import { Flags } from '@oclif/core'
import { BaseCommand } from '../../cli/base-command.ts'
import { yesFlag } from '../../cli/flags.ts'
import { withProgress } from '../../cli/output/terminal.ts'
import { distributeHere } from '../../client/connect.ts'
import { pluralize } from '../../contract/counts.ts'

export default class DatabaseDistribute extends BaseCommand {
  static override description =
    `Distributes a PostgreSQL database over the servers of a Citus cluster; each project's data is on one of them.

Run it on the machine of the Pullquote server, with DATABASE_URL set to the coordinator. It shows what it would do and asks \
first. Either all tables are distributed or none; writes wait until it is done. Run it again to do whatever is left.`
  static override examples = [
    'DATABASE_URL=postgres://coordinator/pullquote <%= config.bin %> <%= command.id %> --dry-run',
    'DATABASE_URL=postgres://coordinator/pullquote <%= config.bin %> <%= command.id %> --yes',
  ]
  static override flags = {
    'dry-run': Flags.boolean({ description: 'show what would be done, without changing anything', default: false }),
    ...yesFlag,
  }

  async run(): Promise<{
    distributed: boolean
    servers: string[]
    tables: { table: string; wanted: string; actual: string }[]
  }> {
    const { flags } = await this.parse(DatabaseDistribute)
    const settings = { home: process.env.PULLQUOTE_HOME || this.config.dataDir, env: process.env }
    const { workers: servers, tables } = await distributeHere(settings, { dryRun: true })
    const due = tables.filter(({ wanted, actual }) => wanted !== actual)
    const over = `${pluralize(due.length, 'table')} over ${pluralize(servers.length, 'server')} (${servers.join(', ')})`
    for (const { table, wanted } of due) {
      this.log(`${table.padEnd(20)}${wanted === 'reference' ? 'a copy on every server' : 'by project'}`)
    }
    if (due.length === 0 || flags['dry-run']) {
      this.info(due.length === 0 ? 'Everything is already distributed.' : `Would distribute ${over}.`)
      return { distributed: false, servers, tables }
    }
    await this.confirm(`Distribute ${over}? Writes wait until it is done.`, {
      given: flags.yes,
      otherwise: 'nothing was changed',
    })
    await withProgress(this, 'Distributing the database', () => distributeHere(settings, { dryRun: false }))
    this.info(`Distributed ${over}.`)
    return { distributed: true, servers, tables }
  }
}
