/** Every number of the `/v1` contract, once. Lengths are UTF-16 code units, sizes bytes, windows seconds. */

export const REVIEWS_PER_PUSH = 100
export const REVIEW_TEXT_LENGTH = 20_000
export const EXTERNAL_ID_LENGTH = 512
export const AUTHOR_NAME_LENGTH = 256
/** The API document has no limit for URLs; browsers, proxies and search engines all accept this length. */
export const URI_LENGTH = 2_048
export const LANGUAGE_LENGTH = { min: 2, max: 35 } as const
export const METADATA = { entries: 32, keyLength: 64, valueLength: 512 } as const
export const RATING = { min: 1, max: 5 } as const

export const QUERY_LENGTH = 500
export const QUERY_LIMIT = { min: 1, max: 20, default: 5 } as const
export const INCLUDE_ITEMS = 8
export const SOURCE_FILTER_ITEMS = 20
export const SOURCE_FILTER_LENGTH = 64
export const LIST_LIMIT = { min: 1, max: 100, default: 20 } as const

export const BODY_BYTES = {
  pushReviews: 1_048_576,
  patchReview: 65_536,
  query: 16_384,
  /** This server's own routes, outside `/v1`. */
  operator: 65_536,
  console: 8_192,
} as const
export const IMPORT_FILE_BYTES = 10_485_760
export const FILE_NAME_LENGTH = 255
/** Length of its JSON. */
export const MAPPING_LENGTH = 20_000
export const PLACE_REVIEWS = 5
export const REQUEST_ID_LENGTH = 128

export const RATE_WINDOW_SECONDS = 60
export const PREFLIGHT_MAX_AGE_SECONDS = 86_400

/** How long an import's skipped rows can be fetched. */
export const IMPORT_REPORT_DAYS = 7

/** Limits of this server's own routes, outside `/v1`. */
export const NAME_LENGTH = 100
export const PROJECT_ORIGINS = 100
/** A scheme, a host name of 253 characters and a port. */
export const ORIGIN_LENGTH = 267
export const KEY_MAX_DAYS = 366
export const CONSOLE_LINK_DAYS = { min: 1, max: 366, default: 30 } as const
export const INSIGHTS_DAYS = { min: 1, max: 3_660, default: 30 } as const
export const INSIGHTS_LIMIT = { min: 1, max: 50, default: 10 } as const
export const SET_ASIDE_LIMIT = { min: 1, max: 500, default: 100 } as const
/** Page size for projects, keys and console links. */
export const OPERATOR_LIST_LIMIT = { min: 1, max: 500 } as const

export const DEFAULT_SIMILARITY_FLOOR = 0.66
/** An excerpt that matches half of the query's words passes this much below the floor. */
export const WORD_TIER_BELOW_FLOOR = 0.13
export const DEFAULT_MIN_RATING = 4

export const PLAN_LIMITS = {
  free: {
    projects: 1,
    reviewsPerProject: 5_000,
    uncachedQueriesPerMonth: 50_000,
    requestsPerWindow: { secret: 300, publishable: 120 },
    badge: true,
  },
  paid: {
    projects: 50,
    reviewsPerProject: 100_000,
    uncachedQueriesPerMonth: 2_000_000,
    requestsPerWindow: { secret: 1_000, publishable: 600 },
    badge: false,
  },
}
export type Plan = keyof typeof PLAN_LIMITS
