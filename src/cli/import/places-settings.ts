import { PLACES_URL, PlacesError, type PlacesSettings } from '../../client/places.ts'
import { CliError, EXIT } from '../errors/failure.ts'

/** Key and base address of the Places API from the environment. @throws CliError `places_key_missing` */
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

const HINTS: Record<PlacesError['code'], string[]> = {
  places_denied: ['check PULLQUOTE_PLACES_KEY, and that "Places API (New)" is enabled for it'],
  places_quota: [
    "wait until the quota renews, or raise it in the key's Google Cloud project; then run the same command again",
  ],
  places_not_found: ['find the id with: pullquote places search TEXT'],
  places_refused: [],
  places_unreachable: ['check the connection and PULLQUOTE_PLACES_URL, then run the same command again'],
}

/** Puts what to try behind a refusal of the Places API. */
export async function withPlacesHints<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof PlacesError)) throw error
    const exitCode = error.code === 'places_denied' ? EXIT.authentication : EXIT.failed
    throw new CliError(error.message, { code: error.code, hints: HINTS[error.code], exitCode })
  }
}
