import { BaseCommand } from '../../cli/base-command.ts'
import { changeProfiles, findProfile, readProfiles } from '../../cli/connection/settings.ts'
import { requiredArg, yesFlag } from '../../cli/flags.ts'

export default class ProfilesRemove extends BaseCommand {
  static override description =
    'Removes a profile and its key from this machine. The key itself keeps working until it is revoked.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> production',
    '<%= config.bin %> <%= command.id %> production --yes',
  ]
  static override args = { name: requiredArg('name of the profile') }

  static override flags = { ...yesFlag }

  async run(): Promise<{ removed: string }> {
    const { args, flags } = await this.parse(ProfilesRemove)
    const stored = await readProfiles(this.config.configDir)
    const { url = 'this machine' } = findProfile(stored, args.name)
    const question = `Remove the profile ${args.name} for ${url}? Its key may not be stored anywhere else.`
    await this.confirm(question, { given: flags.yes, otherwise: 'nothing was removed' })
    await changeProfiles(this.config.configDir, ({ default: previous, profiles: { [args.name]: _, ...profiles } }) => {
      return { profiles, default: previous === args.name ? undefined : previous }
    })
    this.log(`Removed the profile ${args.name}.`)
    return { removed: args.name }
  }
}
