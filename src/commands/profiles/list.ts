import { BaseCommand } from '../../cli/base-command.ts'
import { readProfiles } from '../../cli/connection/settings.ts'
import { type Column, table } from '../../cli/output/table.ts'

export default class ProfilesList extends BaseCommand {
  static override description = 'Lists the stored profiles, without their keys.'
  static override examples = ['<%= config.bin %> <%= command.id %>']
  static override aliases = ['profiles']

  async run() {
    await this.parse(ProfilesList)
    const stored = await readProfiles(this.config.configDir)
    const profiles = Object.entries(stored.profiles).map(([name, profile]) => {
      const { url = null, key, operator_token, project = null } = profile
      const has = operator_token !== undefined ? 'operator token' : key !== undefined ? 'key' : 'nothing'
      return { name, url, has, project, default: name === stored.default }
    })
    const columns: Column<(typeof profiles)[number]>[] = [
      { heading: 'NAME', value: (one) => (one.default ? `${one.name} (default)` : one.name) },
      { heading: 'SERVER', value: ({ url }) => url ?? '-', flexible: true },
      { heading: 'HOLDS', value: ({ has }) => has },
      { heading: 'PROJECT', value: ({ project }) => project ?? '-' },
    ]
    if (profiles.length === 0) this.info(`There are no profiles. Try: ${this.config.bin} login NAME --url URL`)
    else this.log(table(profiles, columns, this.terminal))
    return { profiles }
  }
}
