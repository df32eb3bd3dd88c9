import { Flags } from '@oclif/core'
import { BaseCommand } from '../../cli/base-command.ts'
import { requireOperator } from '../../cli/connection/session.ts'
import { openBrowser } from '../../cli/console.ts'
import { CliError, usageError } from '../../cli/errors/cli-error.ts'
import { projectFlag, serverFlags } from '../../cli/flags.ts'
import { shortId } from '../../cli/output/format.ts'
import { findProject } from '../../cli/projects.ts'
import { CONSOLE_LINK_DAYS } from '../../contract/limits.ts'

export default class Console extends BaseCommand {
  static override description = `Opens the console in the browser, with a link that works once and within ten minutes.

With --project, prints a link for the owner of that project instead, who sees only that project. This link can be used any \
number of times until it expires or is revoked. Anyone who has it can sign in, so send it as you would send a password.`
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --project hotel-aurora --for 90   # a link for its owner',
    '<%= config.bin %> <%= command.id %> list',
  ]
  static override flags = {
    project: projectFlag('print a link for the owner of this project'),
    for: Flags.integer({
      description: `days until that link expires; default: ${CONSOLE_LINK_DAYS.default}`,
      helpValue: 'DAYS',
      min: CONSOLE_LINK_DAYS.min,
      max: CONSOLE_LINK_DAYS.max,
      dependsOn: ['project'],
    }),
    'no-open': Flags.boolean({ description: 'only print the link', default: false }),
    ...serverFlags,
  }

  async run() {
    const { flags } = await this.parse(Console)
    if (flags['no-open'] && flags.project !== undefined) {
      throw usageError('--no-open cannot be used with --project, whose link is never opened')
    }
    const { project: name, for: days, ...server } = flags
    const { link, baseUrl } = await this.withSession(server, async (session) => {
      if (session.connection.kind === 'in-process') {
        throw new CliError('no server is running, and the console needs one', {
          code: 'no_server',
          hints: [`${this.config.bin} serve`],
        })
      }
      const operator = requireOperator(session)
      const project = name === undefined ? undefined : (await findProject(operator, name)).id
      return { link: await operator.createConsoleLink({ project, days }), baseUrl: session.connection.baseUrl }
    })
    const url = (link.public_url ?? baseUrl.replace(/\/+$/, '')) + link.path
    this.log(url)
    if (link.project !== null) {
      this.info(
        `For the owner of ${link.project}, until ${link.expires_at.slice(0, 10)}. Anyone who has it can sign in.`,
      )
      this.info(`It is not shown again. To revoke it: ${this.config.bin} console revoke ${shortId(link.id)}`)
    } else {
      const opened = !flags['no-open'] && !this.jsonEnabled() && (await openBrowser(url, process.env))
      this.info(`${opened ? 'Opened in the browser' : 'Open it in a browser'}; it works once, within ten minutes.`)
    }
    return { id: link.id, url, project: link.project, expires_at: link.expires_at }
  }
}
