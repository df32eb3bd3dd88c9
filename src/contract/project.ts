import * as v from 'valibot'
import { fields } from './fields.ts'
import { NAME_LENGTH, ORIGIN_LENGTH, PROJECT_ORIGINS } from './limits.ts'
import { nextCursor } from './operator-list.ts'
import { parseUrl } from './parse-url.ts'
import { environment, rating } from './review.ts'
import { count, instant, similarity, uuid } from './scalars.ts'
import { nameText } from './text.ts'

/** Projects in the operator's routes, which are this server's own, outside `/v1`. */

const name = v.pipe(
  nameText(NAME_LENGTH),
  // Either would vanish from the project's URL, where it is a path segment.
  v.check((value) => value !== '.' && value !== '..', 'must not be "." or ".."'),
)

/** An origin as browsers send it: scheme, lower-case host, and port unless it is the scheme's default. */
export const origin = v.pipe(
  v.string(),
  v.metadata({ format: 'uri', pattern: '^https?://[^*/]+$', examples: ['https://www.example.com'] }),
  v.maxLength(ORIGIN_LENGTH, `must have at most ${ORIGIN_LENGTH} characters`),
  v.check(
    (value) => value.length > ORIGIN_LENGTH || isOrigin(value),
    'must be an origin such as https://www.example.com: scheme, host and port, with no path or wildcard',
  ),
)

function isOrigin(value: string): boolean {
  return /^https?:\/\/[^*]+$/.test(value) && parseUrl(value)?.origin === value
}

export const plan = v.picklist(['free', 'paid'], 'must be free or paid')

/** `no_complaints` leaves out excerpts that are themselves negative. */
export const excerptPolicy = v.picklist(['all', 'no_complaints'], 'must be all or no_complaints')

const origins = v.optional(
  v.pipe(v.array(origin), v.maxLength(PROJECT_ORIGINS, `must have at most ${PROJECT_ORIGINS} origins`)),
)

const settings = {
  plan: v.optional(plan),
  origins,
  similarity_floor: v.optional(similarity),
  min_rating: v.optional(rating),
  excerpts: v.optional(excerptPolicy),
}

/** The body of `POST /operator/projects`. */
export const createProjectBody = fields({ name, ...settings })
export type CreateProjectBody = v.InferOutput<typeof createProjectBody>

/** The body of `PATCH /operator/projects/<name or id>`. */
export const patchProjectBody = fields({
  name: v.optional(name),
  ...settings,
  /** One by one, so that of two changes at the same time neither undoes the other. */
  add_origins: origins,
  remove_origins: origins,
})
export type PatchProjectBody = v.InferOutput<typeof patchProjectBody>

/** A project as the operator's routes return it. */
export const project = v.object({
  id: uuid,
  name: v.string(),
  plan,
  origins: v.array(v.string()),
  similarity_floor: v.number(),
  min_rating: rating,
  /** The default is for earlier servers, which leave nothing out. */
  excerpts: v.optional(excerptPolicy, 'all'),
  reviews: v.object({ live: count, test: count }),
  /** Optional: earlier servers do not send it. */
  review_limit: v.exactOptional(count),
  /** Queries that count against the quota, by month (UTC). Optional for the same reason. */
  computed_queries: v.exactOptional(v.object({ this_month: count, last_month: count })),
  created_at: instant,
})
export type Project = v.InferOutput<typeof project>

/** Response of `GET /operator/projects`. */
export const projectsResponse = v.object({ projects: v.array(project), next_cursor: nextCursor })

/** Body and response of `POST /operator/wipe`. */
export const wipeBody = fields({ project: v.string(), env: environment })
export const wipeResponse = v.object({ deleted: count })
