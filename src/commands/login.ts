import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../cli/base-command.ts'
import { checkKeyScope } from '../cli/connection/key-scope.ts'
import {
  changeProfiles,
  type Profile,
  type Profiles,
  profilesPath,
  readProfiles,
  resolveSettings,
  type Settings,
  STORED_NAME,
} from '../cli/connection/settings.ts'
import { CliError, EXIT, usageError } from '../cli/errors/cli-error.ts'
import { projectFlag, yesFlag } from '../cli/flags.ts'
import { isFormatName } from '../cli/import/reading-flags.ts'
import { findProject } from '../cli/projects.ts'
import { readSecret } from '../cli/prompts.ts'
import { createClient } from '../client/client.ts'
import { createOperator } from '../client/operator.ts'
import { parseKey } from '../contract/key.ts'

export default class Login extends BaseCommand {
  static override description = `Stores the address of a server and a key for it as a profile, which later commands use.

The first profile becomes the default; choose another with --profile NAME or PULLQUOTE_PROFILE. The key is checked before it \
is stored, in a file that only you can read. If a profile of that name already has another server or key, you are asked \
before it is replaced, unless you give --yes.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> production --url https://reviews.example.com',
    'cat key.txt | <%= config.bin %> <%= command.id %> production --url https://reviews.example.com --key-stdin',
    'cat token.txt | <%= config.bin %> <%= command.id %> ops --url https://reviews.example.com --operator-token-stdin',
  ]
  static override args = {
    name: Args.string({ ignoreStdin: true, description: 'name of the profile', default: 'default' }),
  }
  static override flags = {
    url: Flags.string({ description: 'address of the server [env: PULLQUOTE_URL]', helpValue: 'URL' }),
    'key-stdin': Flags.boolean({
      description: 'read the API key from standard input',
      exclusive: ['operator-token-stdin'],
    }),
    'operator-token-stdin': Flags.boolean({ description: 'read the operator token from standard input' }),
    project: projectFlag('project to use with an operator token; with a key, it must be the project of the key'),
    env: Flags.option({
      description: 'environment to use with an operator token; with a key, it must be the environment of the key',
      options: ['live', 'test'] as const,
    })(),
    default: Flags.boolean({ description: 'make this profile the default', default: false }),
    ...yesFlag,
  }

  async run(): Promise<{ profile: string; url: string; default: boolean }> {
    const { args, flags } = await this.parse(Login)
    if (!STORED_NAME.test(args.name)) {
      throw usageError(
        `"${args.name}" cannot be used as the name of a profile`,
        'use letters, digits, dots, dashes and underscores',
      )
    }
    const { configDir, dataDir } = this.config
    const settings = resolveSettings({ url: flags.url }, process.env, { profiles: {} }, dataDir)
    const { url } = settings
    if (url === undefined) throw usageError('no address given', 'give --url https://reviews.example.com')
    const profile = await this.verifiedProfile(url, settings, flags)
    await this.confirmReplacing(args.name, (await readProfiles(configDir)).profiles, profile, flags.yes)
    const stored = await changeProfiles(configDir, ({ default: previous, profiles }) => ({
      default: flags.default ? args.name : (previous ?? args.name),
      profiles: { ...profiles, [args.name]: profile },
    }))
    this.log(`Stored the profile ${args.name} for ${url} in ${profilesPath(configDir)}.`)
    const isDefault = stored.default === args.name
    this.info(
      isDefault
        ? 'It is the default.'
        : `Use it with --profile ${args.name}, or: ${this.config.bin} profiles use ${args.name}`,
    )
    if (isFormatName(args.name)) {
      this.info(
        `A file format is also called ${args.name}: with \`reviews import\`, --profile ${args.name} needs --format as well.`,
      )
    }
    return { profile: args.name, url, default: isDefault }
  }

  /** Asks before a different profile is replaced, since its secret is stored nowhere else. */
  private async confirmReplacing(name: string, profiles: Profiles['profiles'], profile: Profile, given: boolean) {
    const earlier = Object.hasOwn(profiles, name) ? profiles[name] : undefined
    const fields = ({ url, key, operator_token, project, env }: Profile) =>
      JSON.stringify([url, key, operator_token, project, env])
    if (!earlier || fields(earlier) === fields(profile)) return
    const holds = earlier.operator_token !== undefined ? 'an operator token' : 'a key'
    await this.confirm(
      `The profile ${name} already exists, for ${earlier.url ?? 'this machine'}, with ${holds} that may not be stored anywhere else. Replace it?`,
      { given, otherwise: `the profile ${name} already exists and was left as it is` },
    )
  }

  /** Reads the key or token and returns the profile once the server has accepted it. */
  private async verifiedProfile(
    url: string,
    settings: Settings,
    flags: { 'operator-token-stdin': boolean; project?: string | undefined; env?: 'live' | 'test' | undefined },
  ): Promise<Profile> {
    const network = { fetch: (request: Request) => fetch(request), baseUrl: url }
    const secret = await readSecret(flags['operator-token-stdin'] ? 'operator token' : 'API key', this.interruptSignal)
    if (flags['operator-token-stdin']) {
      const operator = createOperator({ ...network, operatorToken: secret })
      const { project, env } = flags
      if (project === undefined) await operator.firstProjects(1)
      else await findProject(operator, project)
      return { url, operator_token: secret, project, env }
    }
    const parsed = parseKey(secret)
    if (!parsed) {
      throw new CliError(
        'that is not a valid key: it must have 44 characters and look like svc_sk_live_… or svc_sk_test_…',
        {
          code: 'unauthorized',
          hints: ['copy the whole key, without spaces or quotes'],
          exitCode: EXIT.authentication,
        },
      )
    }
    if (parsed.kind === 'publishable') {
      throw usageError('a publishable key can only query from a web page', 'give a secret key (svc_sk_…)')
    }
    const client = createClient({ ...network, key: secret })
    await client.list({ limit: 1 })
    const { project, env } = flags
    const scope = { ...settings, project: project ?? settings.project, env: env ?? settings.env }
    await checkKeyScope(secret, scope, { client, operator: undefined })
    return { url, key: secret }
  }
}
