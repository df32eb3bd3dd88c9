import { BaseCommand } from '../../cli/base-command.ts'
import { requiredArg } from '../../cli/flags.ts'
import { placesSettings } from '../../cli/import/places-settings.ts'
import { printable } from '../../cli/output/text.ts'
import { searchPlaces } from '../../client/places.ts'
import { formatCount } from '../../contract/counts.ts'

export default class PlacesSearch extends BaseCommand {
  static override description = `Finds places on Google by name and address, to import their reviews.

Set PULLQUOTE_PLACES_KEY to an API key for "Places API (New)".`
  static override examples = ['<%= config.bin %> <%= command.id %> "Hotel Aurora Lisbon"']
  static override args = { text: requiredArg('name of the place and, for example, its town') }

  async run() {
    const { args } = await this.parse(PlacesSearch)
    const places = await searchPlaces(placesSettings(process.env), args.text)
    if (places.length === 0) this.info('No place was found. Try the name together with its town.')
    for (const { id, name, address, rating, ratings } of places) {
      const stars = rating === null ? 'no ratings' : `${rating} stars of ${formatCount(ratings)} ratings`
      this.log(printable(`${id}  ${name}${address === null ? '' : `, ${address}`}  (${stars})`))
    }
    return { places }
  }
}
