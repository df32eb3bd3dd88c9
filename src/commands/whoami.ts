import { BaseCommand } from '../cli/base-command.ts'
import { checkKeyScope } from '../cli/connection/key-scope.ts'
import { clientFor, type ServerInUse, serverOf } from '../cli/connection/session.ts'
import { clientFlags } from '../cli/flags.ts'
import { maskedKey } from '../cli/keys.ts'
import { oneLine } from '../cli/output/text.ts'
import { fieldLines } from '../cli/output/wrap.ts'
import { chooseProject } from '../cli/projects.ts'
import type { Connection } from '../client/connect.ts'
import { type KeyKind, parseKey } from '../contract/key.ts'
import type { Environment } from '../contract/review.ts'

interface WhoAmI extends ServerInUse {
  project: string | null
  env: Environment
  /** Null when commands use the operator token. */
  key: { kind: KeyKind; hint: string } | null
  operator: boolean
}

const KINDS: Record<Connection['kind'], string> = {
  remote: 'the given address',
  'local-server': 'the server on this machine',
  'in-process': 'no server is running: commands open the database themselves',
}

export default class WhoAmICommand extends BaseCommand {
  static override description =
    `Shows what a command with the same flags would use: server, profile, project, environment and key.

It asks the server, so an invalid key is reported.`
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --profile production --json',
  ]
  static override flags = { ...clientFlags }

  async run(): Promise<WhoAmI> {
    const { flags } = await this.parse(WhoAmICommand)
    const answer = await this.withSession(flags, async (session): Promise<WhoAmI> => {
      const { settings, operator } = session
      const { key } = settings
      const common = { ...serverOf(session), operator: operator !== undefined }
      if (key === undefined) {
        const project = operator ? (await chooseProject(operator, settings.project)).name : null
        return { ...common, project, env: settings.env ?? 'live', key: null }
      }
      const client = clientFor(session, key)
      const env = await checkKeyScope(key, settings, { client, operator })
      const kind = parseKey(key)?.kind ?? 'secret'
      // A publishable key may not ask; a named project was already checked against it.
      const project = kind === 'secret' ? (await client.whoami()).project.name : (settings.project ?? null)
      return { ...common, project, env, key: { kind, hint: key.slice(-4) } }
    })
    this.log(this.render(answer))
    return answer
  }

  private render({ server, url, profile, project, env, key, operator }: WhoAmI): string {
    const short = key && maskedKey({ ...key, env })
    const fields: [string, string][] = [
      ['server', url === null ? KINDS[server] : `${url} (${KINDS[server]})`],
      ['profile', profile ?? 'none'],
      ['project', project === null ? 'unknown' : oneLine(project)],
      ['environment', env],
      ['key', short ?? (operator ? 'none (using the operator token)' : 'none')],
    ]
    return fieldLines(fields, this.terminal).join('\n')
  }
}
