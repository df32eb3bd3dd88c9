import { PLACES_URL, type PlacesSettings } from '../../client/places.ts'
import { CliError, EXIT } from '../errors/cli-error.ts'

/** Key and base URL of the Places API from the environment. @throws CliError `places_key_missing` */
export function placesSettings(env: NodeJS.ProcessEnv): PlacesSettings {
  const key = env.PULLQUOTE_PLACES_KEY
  if (!key)
    throw new CliError('no key for the Google Places API', {
      code: 'places_key_missing',
      hints: [
        'set PULLQUOTE_PLACES_KEY to an API key of a Google Cloud project with "Places API (New)" enabled',
        'without one, import a Google Takeout: pullquote reviews import takeout.zip',
      ],
      exitCode: EXIT.authentication,
    })
  return {
    fetch: (request) => fetch(request),
    baseUrl: (env.PULLQUOTE_PLACES_URL || PLACES_URL).replace(/\/+$/, ''),
    key,
  }
}
