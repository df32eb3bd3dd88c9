import { BaseCommand } from '../../cli/base-command.ts'
import { changeProfiles, findProfile } from '../../cli/connection/settings.ts'
import { requiredArg } from '../../cli/flags.ts'

export default class ProfilesUse extends BaseCommand {
  static override description = 'Makes a profile the default.'
  static override examples = ['<%= config.bin %> <%= command.id %> production']
  static override args = { name: requiredArg('name of the profile') }

  async run(): Promise<{ default: string }> {
    const { args } = await this.parse(ProfilesUse)
    const stored = await changeProfiles(this.config.configDir, (before) => {
      findProfile(before, args.name)
      return { ...before, default: args.name }
    })
    const { url } = findProfile(stored, args.name)
    this.log(`Commands now use ${url ?? 'this machine'} (profile ${args.name}).`)
    return { default: args.name }
  }
}
