import { join } from 'node:path'
import { BaseCommand } from '../cli/base-command.ts'
import { requireOperator } from '../cli/connection/session.ts'
import { isReadableByOthers, profilesPath } from '../cli/connection/settings.ts'
import { isInterruption, toCliError } from '../cli/errors/cli-error.ts'
import { serverFlags } from '../cli/flags.ts'
import { oneLine } from '../cli/output/text.ts'
import { wrap } from '../cli/output/wrap.ts'
import { pluralize } from '../contract/counts.ts'
import type { Finding } from '../contract/doctor.ts'
import { SERVER_FILE } from '../contract/server-file.ts'

export default class DoctorCommand extends BaseCommand {
  static override description = `Checks the installation and says how to fix what is wrong.

Checks database and extension versions, migrations, clock, queue, model, embedding service, disk, origins, network, and the \
files that hold keys on this machine. The exit code is 1 if a check fails and 0 if there are only warnings.`
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json']
  static override flags = { ...serverFlags }

  async run(): Promise<{ findings: Finding[] }> {
    const { flags } = await this.parse(DoctorCommand)
    const findings = [...(await this.ofThisMachine()), ...(await this.ofTheServer(flags))]
    for (const finding of findings) this.log(this.line(finding))
    const failures = findings.filter(({ status }) => status === 'failure').length
    const warnings = findings.filter(({ status }) => status === 'warning').length
    this.info(
      failures + warnings === 0
        ? 'No problems found.'
        : `${pluralize(failures, 'failure')}, ${pluralize(warnings, 'warning')}.`,
    )
    if (failures > 0) process.exitCode = 1
    return { findings }
  }

  private async ofThisMachine(): Promise<Finding[]> {
    const findings: Finding[] = [{ check: 'node', status: 'ok', message: `Node ${process.versions.node}` }]
    const lock = join(process.env.PULLQUOTE_HOME || this.config.dataDir, SERVER_FILE)
    for (const [check, path, holds, then] of [
      ['profiles', profilesPath(this.config.configDir), 'keys', ''],
      ['lock file', lock, 'the operator token', ', and restart the server'],
    ] as const) {
      if (!(await isReadableByOthers(path))) continue
      const message = `others on this machine can read ${path}, which holds ${holds}`
      findings.push({ check, status: 'warning', message, hint: `chmod 600 ${path}${then}` })
    }
    return findings
  }

  private async ofTheServer(flags: { url?: string | undefined; profile?: string | undefined }): Promise<Finding[]> {
    try {
      return await this.withSession(flags, async (session) => {
        const { kind, baseUrl } = session.connection
        const message = kind === 'in-process' ? 'none is running; the database was opened for this check' : baseUrl
        return [{ check: 'server', status: 'ok', message }, ...(await requireOperator(session).doctor())]
      })
    } catch (error) {
      if (isInterruption(error)) throw error
      const { message, hints } = toCliError(error)
      return [{ check: 'server', status: 'failure', message, hint: hints[0] }]
    }
  }

  private line({ check, status, message, hint }: Finding): string {
    const { green, yellow, red, dim } = this.terminal.style
    const mark = { ok: green('ok     '), warning: yellow('warning'), failure: red('failure') }[status]
    const { columns } = this.terminal
    // In a narrow window the message goes below its check instead of into a column of its own.
    const indent = columns < 70 ? 8 : 20
    const beside = (text: string) => wrap(text, columns, indent)
    const said = indent === 20 ? ` ${beside(oneLine(message)).slice(indent)}` : `\n${beside(oneLine(message))}`
    const advice = hint === undefined ? '' : `\n${beside(`${dim('Try:')} ${oneLine(hint)}`)}`
    return `${mark} ${indent === 20 ? check.padEnd(11) : check}${said}${advice}`
  }
}
