import * as v from 'valibot'
import { fields } from './fields.ts'
import { NAME_LENGTH, ORIGIN_LENGTH, PROJECT_ORIGINS } from './limits.ts'
import { nextCursor } from './operator-list.ts'
import { environment, rating } from './review.ts'
import { count, instant, similarity, uuid } from './scalars.ts'
import { trimmedText } from './text.ts'

/** Projects, as the operator's routes take and answer them: this server's own, outside `/v1`. */

const name = v.pipe(
  trimmedText(1, NAME_LENGTH),
  // Each would vanish from the address of the project, which is a path.
  v.check((value) => value !== '.' && value !== '..', 'must not be "." or ".."'),
)

/** An origin as a browser sends it: scheme, host in lower case, port unless it is the scheme's own. */
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
  if (!/^https?:\/\/[^*]+$/.test(value) || !URL.canParse(value)) return false
  return new URL(value).origin === value
}

export const plan = v.picklist(['free', 'paid'], 'must be free or paid')

/** `no_complaints`: excerpts that are negative by themselves do not appear. */
export const excerptPolicy = v.picklist(['all', 'no_complaints'], 'must be all or no_complaints')

const settings = {
  plan: v.optional(plan),
  origins: v.optional(
    v.pipe(v.array(origin), v.maxLength(PROJECT_ORIGINS, `must have at most ${PROJECT_ORIGINS} origins`)),
  ),
  similarity_floor: v.optional(similarity),
  min_rating: v.optional(rating),
  excerpts: v.optional(excerptPolicy),
}

/** The body of `POST /operator/projects`. */
export const createProjectBody = fields({ name, ...settings })
export type CreateProjectBody = v.InferOutput<typeof createProjectBody>

/** The body of `PATCH /operator/projects/<name or id>`. */
export const patchProjectBody = fields({ name: v.optional(name), ...settings })
export type PatchProjectBody = v.InferOutput<typeof patchProjectBody>

/** A project as the operator's routes answer it. */
export const project = v.object({
  id: uuid,
  name: v.string(),
  plan,
  origins: v.array(v.string()),
  similarity_floor: v.number(),
  min_rating: rating,
  /** Default for earlier servers, which leave nothing out. */
  excerpts: v.optional(excerptPolicy, 'all'),
  reviews: v.object({ live: count, test: count }),
  /** Optional: earlier servers do not send it. */
  review_limit: v.exactOptional(count),
  created_at: instant,
})
export type Project = v.InferOutput<typeof project>

/** What `GET /operator/projects` answers. */
export const projectsResponse = v.object({ projects: v.array(project), next_cursor: nextCursor })

/** The body of `POST /operator/wipe`, and what that answers. */
export const wipeBody = fields({ project: v.string(), env: environment })
export const wipeResponse = v.object({ deleted: count })
