import type { Source } from '../../contract/review.ts'
import { normalizeHeader } from '../read/headers.ts'
import { shortCell } from './short-cell.ts'

const NAMES: Record<Exclude<Source, 'custom'>, string> = {
  google:
    'google googlemaps googlemybusiness googlebusiness googlebusinessprofile googlebusinessprofiles googlereviews googlereview googleplaces googlelocal googlecom gmb gbp',
  yelp: 'yelp yelpcom yelpreviews yelpreview',
  facebook: 'facebook fb facebookcom facebookpage facebookreviews facebookrecommendations meta',
  trustpilot: 'trustpilot trustpilotcom trustpilotreviews',
}
const byName = new Map<string, Source>(
  Object.entries(NAMES).flatMap(([source, names]) => names.split(' ').map((name) => [name, source as Source] as const)),
)

/** The contract's source for a platform name as exports write it: `Google My Business`, `FB`, `www.yelp.com`. */
export function parseSource(name: string): Source | undefined {
  const plain = normalizeHeader(shortCell(name) ?? '')
  return plain === 'custom' ? 'custom' : (byName.get(plain) ?? byName.get(plain.replace(/^www/, '')))
}
