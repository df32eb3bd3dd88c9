import * as v from 'valibot'
import { CodedError } from '../contract/code-of.ts'
import { defined } from '../contract/defined.ts'
import { METADATA, PLACE_REVIEWS } from '../contract/limits.ts'
import type { Fetch } from './fetch.ts'

/** Google Places API (New): https://developers.google.com/maps/documentation/places/web-service/reference/rest/v1/places */

export interface PlacesSettings {
  fetch: Fetch
  /** Without a trailing slash. */
  baseUrl: string
  key: string
}

export const PLACES_URL = 'https://places.googleapis.com'

/** The Places API rejected the request or could not be reached. */
class PlacesError extends CodedError<
  'places_denied' | 'places_quota' | 'places_not_found' | 'places_refused' | 'places_unreachable'
> {}

const optionalText = v.optional(v.string())
const localizedText = v.looseObject({ text: optionalText, languageCode: optionalText })
const foundPlaces = v.looseObject({
  places: v.optional(
    v.array(
      v.looseObject({
        id: v.string(),
        displayName: v.optional(localizedText),
        formattedAddress: optionalText,
        rating: v.optional(v.number()),
        userRatingCount: v.optional(v.number()),
      }),
    ),
    [],
  ),
})
const placeDetails = v.looseObject({
  id: v.string(),
  displayName: v.optional(localizedText),
  reviews: v.optional(
    v.array(
      v.looseObject({
        name: v.string(),
        rating: v.optional(v.number()),
        text: v.optional(localizedText),
        originalText: v.optional(localizedText),
        authorAttribution: v.optional(v.looseObject({ displayName: optionalText, photoUri: optionalText })),
        publishTime: v.string(),
        googleMapsUri: optionalText,
      }),
    ),
    [],
  ),
})
const refusal = v.looseObject({ error: v.looseObject({ message: optionalText }) })

/** @throws {PlacesError} */
export async function searchPlaces(settings: PlacesSettings, text: string) {
  const { places } = await callPlacesApi(settings, '/v1/places:searchText', foundPlaces, {
    fields: ['places.id', 'places.displayName', 'places.formattedAddress', 'places.rating', 'places.userRatingCount'],
    body: { textQuery: text, pageSize: 10 },
  })
  return places.map((place) => ({
    id: place.id,
    name: place.displayName?.text ?? place.id,
    address: place.formattedAddress ?? null,
    rating: place.rating ?? null,
    ratings: place.userRatingCount ?? 0,
  }))
}

/**
 * The reviews of a place that the platform shares, at most five, in the format of an import. The text is the original;
 * a translation is kept as metadata.
 *
 * @returns also the number of shared ratings without a text
 * @throws {PlacesError}
 */
export async function placeReviews(settings: PlacesSettings, placeId: string) {
  const details = await callPlacesApi(settings, `/v1/places/${encodeURIComponent(placeId)}`, placeDetails, {
    fields: ['id', 'displayName', 'reviews'],
  })
  const place = { id: details.id, name: details.displayName?.text ?? details.id }
  const shared = details.reviews.slice(0, PLACE_REVIEWS)
  const reviews = shared.flatMap((review) => {
    const { originalText = review.text, authorAttribution: author } = review
    const text = (originalText?.text ?? review.text?.text ?? '').trim()
    const translation = review.text?.text?.trim() ?? ''
    const isTranslated = translation !== '' && translation !== text
    // Undefined fields are omitted from the uploaded JSON.
    const found = {
      external_id: review.name,
      source: 'google',
      rating: review.rating ?? null,
      text,
      author_name: author?.displayName?.trim() || 'Anonymous',
      author_avatar_url: author?.photoUri || undefined,
      occurred_at: review.publishTime,
      url: review.googleMapsUri || undefined,
      language: (originalText?.languageCode ?? review.text?.languageCode) || undefined,
      metadata: {
        place_id: place.id,
        place_name: place.name,
        translation: isTranslated ? translation.slice(0, METADATA.valueLength).toWellFormed() : undefined,
      },
    }
    return text === '' ? [] : [found]
  })
  return { place, reviews, ratingOnly: shared.length - reviews.length }
}

async function callPlacesApi<TSchema extends v.GenericSchema>(
  { fetch, baseUrl, key }: PlacesSettings,
  path: string,
  answer: TSchema,
  { fields, body }: { fields: string[]; body?: object },
): Promise<v.InferOutput<TSchema>> {
  let response: Response
  let text: string
  try {
    response = await fetch(
      new Request(baseUrl + path, {
        method: body ? 'POST' : 'GET',
        headers: defined({
          'x-goog-api-key': key,
          'x-goog-fieldmask': fields.join(','),
          'content-type': body && 'application/json',
        }),
        body: body ? JSON.stringify(body) : null,
        signal: AbortSignal.timeout(30_000),
      }),
    )
    text = await response.text()
  } catch (error) {
    throw new PlacesError('places_unreachable', `the Places API at ${baseUrl} does not answer`, { cause: error })
  }
  if (!response.ok) throw placesError(response.status, text)
  const checked = v.safeParse(v.pipe(v.string(), v.parseJson(), answer), text)
  if (checked.success) return checked.output
  throw new PlacesError('places_refused', `what answers at ${baseUrl} is not the Places API (New)`)
}

function placesError(status: number, text: string): PlacesError {
  const checked = v.safeParse(v.pipe(v.string(), v.parseJson(), refusal), text)
  const reason = checked.success ? (checked.output.error.message ?? '').trim().replace(/\.$/, '') : ''
  const said = reason === '' ? `answered ${status}` : `says: ${reason}`
  if (status === 429) return new PlacesError('places_quota', `the quota of the Places API is used up; it ${said}`)
  if (status === 401 || status === 403)
    return new PlacesError('places_denied', `the Places API refused the key; it ${said}`)
  if (status === 404) return new PlacesError('places_not_found', `there is no such place; the Places API ${said}`)
  const isKey = /api key/i.test(reason)
  return new PlacesError(isKey ? 'places_denied' : 'places_refused', `the Places API refused the request; it ${said}`)
}
