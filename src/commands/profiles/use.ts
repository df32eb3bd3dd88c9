import { BaseCommand } from '../../cli/base-command.ts'
import { findProfile, readProfiles, writeProfiles } from '../../cli/connection/settings.ts'
import { requiredArg } from '../../cli/flags.ts'

export default class ProfilesUse extends BaseCommand {
  static override description = 'Makes a profile the default.'
  static override examples = ['<%= config.bin %> <%= command.id %> production']
  static override args = { name: requiredArg('name of the profile') }

  async run(): Promise<{ default: string }> {
    const { args } = await this.parse(ProfilesUse)
    const stored = await readProfiles(this.config.configDir)
    const { url } = findProfile(stored, args.name)
    await writeProfiles(this.config.configDir, { ...stored, default: args.name })
    this.log(`Commands now talk to ${url ?? 'this machine'} (profile ${args.name}).`)
    return { default: args.name }
  }
}
