import type { ServerRequest } from 'srvx'
import * as v from 'valibot'
import { parseUrl } from '../../../src/contract/parse-url.ts'
import type { AppDeps } from '../../app-deps.ts'
import type { DemoSettings } from '../../demo/access.ts'
import { introduction, type Shown, samplePage } from '../../demo/documents.ts'
import { LIVE_SCRIPT } from '../../demo/live-script.ts'
import { DEMO_PROJECT, type DemoPage, OWN_SLUG, OWN_TEXT_LENGTH, PAGES } from '../../demo/pages.ts'
import type { Clock, Pool } from '../../deps.ts'
import { ApiError } from '../../http/api-error.ts'
import { issueKey } from '../../http/api-key.ts'
import { isInAudience } from '../../http/loopback.ts'
import { queryOf } from '../../http/query-rule.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { getProject, type Project } from '../../sql/projects/projects.ts'
import { usageOfProjects } from '../../sql/usage/usage-overview.ts'

const KEY_SECONDS = 86_400

/**
 * `GET /demo` and its pages: the snippet as it looks on a web site. They show one project, fixed when the server started and
 * never taken from a request: behind a proxy that adds no header, everybody looks like this machine.
 */
export function demoRoutes({ sql, clock }: AppDeps, { access, project: name, publicUrl }: DemoSettings): Route[] {
  const keyFor = temporaryKeys(sql, clock)
  const shared = {
    method: 'GET',
    access: 'open',
    guard({ request }: { request: ServerRequest }) {
      if (!isInAudience(request, access)) throw new ApiError('not_found', HINT)
    },
  } as const
  const isSample = name === DEMO_PROJECT
  const demoFor = async (request: ServerRequest): Promise<Shown> => {
    const project = await getProject(sql, name)
    const key = project && (await keyFor(project))
    const origin = originOf(request)
    const address = publicUrl ?? origin ?? ''
    return { name, project, key, origin, address, reviews: isSample ? await liveReviews(sql, name) : undefined }
  }
  const page = (path: string, pageOf: (title: string) => DemoPage) =>
    defineRoute({
      ...shared,
      path,
      // No other parameter, such as a project's name.
      query: queryOf(v.object({ title: v.optional(v.string(), '') })),
      async handle({ request, query: { title } }) {
        return samplePage(isSample ? pageOf(title) : ownPage(title), await demoFor(request))
      },
    })
  return [
    defineRoute({
      ...shared,
      path: '/demo',
      handle: async ({ request }) => introduction(await demoFor(request)),
    }),
    ...PAGES.map((each) => page(`/demo/${each.slug}`, () => each)),
    page(`/demo/${OWN_SLUG}`, ownPage),
    defineRoute({
      ...shared,
      path: '/demo/live.js',
      handle: async () => ({
        status: 200,
        body: LIVE_SCRIPT,
        headers: { 'content-type': 'text/javascript; charset=utf-8' },
      }),
    }),
  ]
}

async function liveReviews(sql: Pool, name: string): Promise<number | undefined> {
  return (await usageOfProjects(sql)).find((project) => project.name === name)?.live
}

/** A `Host` header may contain anything; if it is invalid, the page cannot name its origin. */
function originOf(request: ServerRequest): string | undefined {
  return parseUrl(request.url)?.origin
}

const HINT =
  'The demo only opens in a browser on the server’s own machine. Start the server with --demo to show it to everyone.'

/**
 * A publishable key of a project's live environment that lasts a day: keys are stored as hashes, so existing ones cannot be
 * shown.
 */
function temporaryKeys(sql: Pool, clock: Clock): (project: Project) => Promise<string | undefined> {
  const made = new Map<string, { until: number; key: Promise<string | undefined> }>()
  const make = async ({ id: projectId }: Project) => {
    const fields = { projectId, env: 'live', kind: 'publishable', name: 'demo', expiresInSeconds: KEY_SECONDS } as const
    return (await issueKey(sql, fields))?.key
  }
  // Looked up and stored synchronously, or concurrent pages would each create a key.
  return (project) => {
    const now = clock().getTime()
    const known = made.get(project.id)
    // Leaves an hour for the page that is being read.
    if (known && known.until - now > 3_600_000) return known.key
    const until = now + KEY_SECONDS * 1000
    const key = make(project)
    const entry = { until, key }
    made.set(project.id, entry)
    key.catch(() => made.get(project.id) === entry && made.delete(project.id))
    return key
  }
}

function ownPage(given: string): DemoPage {
  const title = given.trim().slice(0, OWN_TEXT_LENGTH) || 'A page of your own'
  const text = 'A page with this heading, and nothing else to say what it is about.'
  return { slug: OWN_SLUG, name: 'Your own', title, description: '', text }
}
