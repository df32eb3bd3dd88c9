import { deriveQuery } from '../../snippet/derive-query.ts'
import { escaped, POLICY, STYLE } from '../demo/html.ts'
import { DEMO_PROJECT, type DemoPage, PAGES, SITE } from '../demo/pages.ts'
import type { Clock, Pool } from '../deps.ts'
import { ApiError } from '../http/api-error.ts'
import { hashKey, keyHint, newApiKey } from '../http/api-key.ts'
import type { Reply } from '../http/exchange.ts'
import type { Call, OpenRoute } from '../http/route.ts'
import { isFromThisMachine } from '../http/this-machine.ts'
import { createKey } from '../store/keys.ts'
import { getProject, listProjects, type Project } from '../store/projects.ts'

/** `loopback`: only for a browser on this machine. */
export type DemoAccess = 'loopback' | 'everyone' | 'off'

const KEY_SECONDS = 86_400
const OWN_TEXT_LENGTH = 300

export interface DemoDeps {
  sql: Pool
  clock: Clock
  demo?: DemoAccess
}

/** `GET /demo` and its pages: the snippet as it looks on a web site, on the demo's reviews or those of a project. */
export function demoRoutes({ sql, clock, demo = 'off' }: DemoDeps): OpenRoute[] {
  if (demo === 'off') return []
  const keyFor = temporaryKeys(sql, clock)
  const route = (path: string, pageOf: (call: Call) => DemoPage): OpenRoute => ({
    method: 'GET',
    path,
    access: 'open',
    async handle(call) {
      if (demo === 'loopback' && !isFromThisMachine(call.request)) throw new ApiError('not_found', HINT)
      const project = await demoProject(sql, call.query.parameters.get('project'))
      const key = project && (await keyFor(project))
      const page = project?.name === DEMO_PROJECT ? pageOf(call) : ownPage(titleOf(call))
      return html(page, { project, key, origin: new URL(call.request.url).origin })
    },
  })
  return [
    ...PAGES.map((page) => route(addressOf(page), () => page)),
    route('/demo/own', (call) => ownPage(titleOf(call))),
  ]
}

function titleOf(call: Call): string {
  return call.query.parameters.get('title') ?? ''
}

const HINT = 'The demo is for a browser on the machine of the server. Start it with --demo to show it to everyone.'

/** The named project, the demo's own, or the first there is. */
async function demoProject(sql: Pool, name: string | null): Promise<Project | undefined> {
  if (name !== null) return getProject(sql, name)
  return (await getProject(sql, DEMO_PROJECT)) ?? (await listProjects(sql))[0]
}

/** A publishable key of a project's live environment that lasts a day: keys are stored as hashes, none can be shown again. */
function temporaryKeys(sql: Pool, clock: Clock): (project: Project) => Promise<string> {
  const made = new Map<string, Promise<{ key: string; until: number }>>()
  const make = async (project: Project) => {
    const key = newApiKey('publishable', 'live')
    const until = clock().getTime() + KEY_SECONDS * 1000
    const record = { projectId: project.id, env: 'live', kind: 'publishable', expiresAt: new Date(until) } as const
    await createKey(sql, { ...record, keyHash: hashKey(key), hint: keyHint(key) })
    return { key, until }
  }
  return async (project) => {
    const known = await made.get(project.id)?.catch(() => undefined)
    // An hour is left for the page that is being read.
    if (known && known.until - clock().getTime() > 3_600_000) return known.key
    const fresh = make(project)
    made.set(project.id, fresh)
    return (await fresh).key
  }
}

function addressOf({ slug }: DemoPage): string {
  return slug === '' ? '/demo' : `/demo/${slug}`
}

function ownPage(given: string): DemoPage {
  const title = given.trim().slice(0, OWN_TEXT_LENGTH) || 'A page of your own'
  const paragraphs = ['A page with this heading, and nothing else that would tell what it is about.']
  return { slug: 'own', name: 'Your own', title, description: '', paragraphs }
}

interface Shown {
  project: Project | undefined
  key: string | undefined
  origin: string
}

function html(page: DemoPage, shown: Shown): Reply {
  return {
    status: 200,
    body: documentOf(page, shown),
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY },
  }
}

function documentOf(page: DemoPage, { project, key, origin }: Shown): string {
  const isSample = project?.name === DEMO_PROJECT
  const suffix = project && !isSample ? `?project=${encodeURIComponent(project.id)}` : ''
  const links = [...(isSample ? PAGES : []), ownPage('')].map((each) => {
    const current = each.slug === page.slug ? ' aria-current="page"' : ''
    return `<a href="${addressOf(each)}${suffix}"${current}>${escaped(each.name)}</a>`
  })
  const site = isSample ? SITE : (project?.name ?? 'Pullquote')
  const tag = key && tagOf(key, project)
  const query = deriveQuery({ h1: page.title, title: `${page.title} – ${site}`, description: page.description, site })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(page.title)} – ${escaped(site)}</title>
<meta name="description" content="${escaped(page.description)}">
<meta property="og:site_name" content="${escaped(site)}">
<meta name="robots" content="noindex">
<style>${STYLE}</style>
</head>
<body>
<header><strong>${escaped(site)}</strong><nav aria-label="Pages">${links.join('\n')}</nav></header>
<main>
<h1>${escaped(page.title)}</h1>
${page.paragraphs.map((text) => `<p>${escaped(text)}</p>`).join('\n')}
${notice(project, origin)}
<div data-reviews>${tag ?? ''}</div>
</main>
<footer>
<h2>How this page gets its reviews</h2>
<p>It holds one tag and nothing else of Pullquote. The tag asks with what the page says of itself: <em>${escaped(query)}</em></p>
${tag ? `<pre><code>${escaped(tag)}</code></pre>` : ''}
<form action="/demo/own" method="get">
${suffix ? `<input type="hidden" name="project" value="${escaped(project?.id ?? '')}">` : ''}
<input name="title" maxlength="${OWN_TEXT_LENGTH}" required aria-label="Heading of a page of your own" placeholder="Heading of a page of your own">
<button>Show its reviews</button>
</form>
</footer>
</body>
</html>
`
}

function tagOf(key: string, project: Project | undefined): string {
  const lowest = project?.minRating ?? 1
  const note = lowest > 1 ? ` data-note="Showing reviews of ${lowest} stars${lowest < 5 ? ' and more' : ''}"` : ''
  return `<script async src="/snippet.js" data-key="${key}"
  data-limit="3" data-theme="auto" data-heading="What guests say"${note}></script>`
}

/** What keeps the reviews from showing, and the command that mends it. */
function notice(project: Project | undefined, origin: string): string {
  if (!project)
    return '<p class="notice">There is no project yet. <code>npm run demo</code> makes one with sample reviews.</p>'
  // Behind a proxy that ends TLS the browser's scheme is another than the one that arrives here.
  const origins = [origin, origin.replace(/^http:/, 'https:')]
  if (origins.some((each) => project.allowedOrigins.includes(each))) return ''
  const others = project.allowedOrigins.map((each) => ` --origin ${each}`).join('')
  const command = `pullquote projects set "${project.name}"${others} --origin ${origin}`
  return `<p class="notice">The project does not allow this page’s origin yet, so no reviews are shown. Run: <code>${escaped(command)}</code></p>`
}
