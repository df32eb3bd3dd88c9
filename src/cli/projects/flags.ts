import { Flags, type Interfaces } from '@oclif/core'
import { DEFAULT_SIMILARITY_FLOOR, RATING } from '../../contract/limits.ts'
import type { PatchProjectBody } from '../../contract/project.ts'
import { usageError } from '../errors/failure.ts'
import { repeatedFlag } from '../flags/repeated.ts'

export const originFlag = (description: string, exclusive: string[] = []) =>
  repeatedFlag({ description, helpValue: 'URL', delimiter: ',', exclusive })

/** What of a project can be set, the same when it is made and when it is changed. */
export const projectFlags = {
  plan: Flags.option({ description: 'limits of the project', options: ['free', 'paid'] as const })(),
  origin: originFlag(
    'allowed origin of publishable keys, instead of those there are; for example https://www.example.com',
  ),
  'similarity-floor': Flags.string({
    description: 'relevance floor, 0 to 1',
    helpValue: String(DEFAULT_SIMILARITY_FLOOR),
  }),
  'min-rating': Flags.integer({ description: 'reviews with fewer stars never appear', ...RATING }),
  excerpts: Flags.option({
    description: 'no_complaints: sentences that read as complaints do not appear, whatever the stars of their review',
    options: ['all', 'no_complaints'] as const,
  })(),
}

/** What they are called in requests. */
export const PROJECT_FIELD_LABELS = {
  plan: '--plan',
  origins: '--origin',
  similarity_floor: '--similarity-floor',
  min_rating: '--min-rating',
  excerpts: '--excerpts',
}

export function projectFields(flags: Partial<Interfaces.InferredFlags<typeof projectFlags>>): PatchProjectBody {
  return {
    plan: flags.plan,
    origins: flags.origin?.map(parseOrigin),
    similarity_floor: flags['similarity-floor'] === undefined ? undefined : checkedFloor(flags['similarity-floor']),
    min_rating: flags['min-rating'],
    excerpts: flags.excerpts,
  }
}

/** An origin as browsers send it; a whole address is a common mistake, and its origin is told. */
export function parseOrigin(value: string): string {
  const parsed = URL.canParse(value) ? new URL(value) : undefined
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    throw usageError(`"${value}" is not an origin`, 'write scheme and host, for example https://www.example.com')
  }
  if (value.replace(/\/$/, '').toLowerCase() === parsed.origin) return parsed.origin
  throw usageError(`"${value}" is more than an origin`, `give scheme, host and port only: ${parsed.origin}`)
}

function checkedFloor(value: string): number {
  const floor = Number(value)
  if (value.trim() !== '' && floor >= 0 && floor <= 1) return floor
  throw usageError(
    `"${value}" is not a relevance floor`,
    `give a number from 0 to 1, for example ${DEFAULT_SIMILARITY_FLOOR}`,
  )
}
