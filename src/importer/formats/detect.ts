import { ImporterError } from '../importer-error.ts'
import { normaliseHeader } from '../read/headers.ts'
import type { Table } from '../read/table.ts'
import type { Profile } from './format.ts'
import { PROFILES } from './known-formats.ts'

export interface Detection {
  profile: Profile
  /** In words, for `--explain`. */
  reasons: string[]
}

/**
 * The profile of a table by its headers and shape; the generic one when no vendor's fits.
 *
 * @param chosen a profile's name that the user gave, which wins
 * @throws ImporterError `unknown_profile`
 */
export function detectProfile(table: Table, chosen: string | undefined): Detection {
  if (chosen !== undefined) return { profile: profileNamed(chosen), reasons: ['chosen with --profile'] }
  const present = new Set(table.headers.map(normaliseHeader))
  let best: { profile: Profile; found: string[]; needed: string[] } | undefined
  for (const profile of PROFILES) {
    if (profile.needs.length === 0 || (profile.formats && !profile.formats.includes(table.format))) continue
    if (profile.unless?.some((header) => present.has(normaliseHeader(header)))) continue
    const needed = profile.needs.map((need) => need.split('|').find((name) => present.has(normaliseHeader(name))))
    if (needed.includes(undefined)) continue
    const names = [...needed.filter((name) => name !== undefined)]
    const found = [...names, ...(profile.hints ?? []).filter((hint) => present.has(normaliseHeader(hint)))]
    if (!best || found.length > best.found.length) best = { profile, found: [...new Set(found)], needed: names }
  }
  if (best) {
    const shape = { csv: 'a CSV file', json: 'a JSON list', jsonl: 'JSON lines', geojson: 'GeoJSON features' }[
      table.format
    ]
    return {
      profile: best.profile,
      reasons: [`${shape} with the columns ${best.found.join(', ')}, as ${best.profile.label} has them`],
    }
  }
  return {
    profile: profileNamed('generic'),
    reasons: ['no vendor’s export has these columns: they are matched by their names'],
  }
}

/** @throws ImporterError `unknown_profile` */
export function profileNamed(name: string): Profile {
  const profile = PROFILES.find((candidate) => candidate.name === name.trim().toLowerCase())
  if (profile) return profile
  const names = PROFILES.map((candidate) => candidate.name)
  throw new ImporterError('unknown_profile', `There is no profile "${name}". There are: ${names.join(', ')}.`, names)
}
