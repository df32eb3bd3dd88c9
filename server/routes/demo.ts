import { deriveQuery } from '../../snippet/derive-query.ts'
import { DEMO_CARDS, escaped, POLICY, STYLE } from '../demo/html.ts'
import { DEMO_PROJECT, type DemoPage, PAGES, SITE } from '../demo/pages.ts'
import type { Clock, Pool } from '../deps.ts'
import { ApiError, validationFailed } from '../http/api-error.ts'
import { hashKey, keyHint, newApiKey } from '../http/api-key.ts'
import type { Reply } from '../http/exchange.ts'
import { parameterFindings } from '../http/query-string.ts'
import type { Call, OpenRoute } from '../http/route.ts'
import { isFromThisMachine } from '../http/this-machine.ts'
import { createKey } from '../store/keys.ts'
import { getProject, type Project } from '../store/projects.ts'

export interface DemoSettings {
  /** `this machine`: only for a browser on the server's machine, as far as a request can tell. */
  access: 'this machine' | 'everyone'
  /** Name of the one project that the pages show: anybody who sees them can query it. */
  project: string
}

const KEY_SECONDS = 86_400
const OWN_TEXT_LENGTH = 300

export interface DemoDeps extends DemoSettings {
  sql: Pool
  clock: Clock
}

/**
 * `GET /demo` and its pages: the snippet as it looks on a web site. They show one project, which was named when the
 * server started and never in a request: behind a proxy that sets no header of its own, anybody looks like this machine.
 */
export function demoRoutes({ sql, clock, access, project: name }: DemoDeps): OpenRoute[] {
  const keyFor = temporaryKeys(sql, clock)
  const route = (path: string, pageOf: (title: string) => DemoPage): OpenRoute => ({
    method: 'GET',
    path,
    access: 'open',
    async handle(call) {
      if (access === 'this machine' && !isFromThisMachine(call.request)) throw new ApiError('not_found', HINT)
      const title = titleOf(call)
      const project = await getProject(sql, name)
      const key = project && (await keyFor(project))
      const page = name === DEMO_PROJECT ? pageOf(title) : ownPage(title)
      return html(page, { name, project, key, origin: originOf(call) })
    },
  })
  return [...PAGES.map((page) => route(addressOf(page), () => page)), route('/demo/own', ownPage)]
}

/** @throws {ApiError} `validation_failed` for any other parameter, such as the name of a project */
function titleOf({ query }: Call): string {
  const isTitle = (parameter: string) => parameter === 'title'
  const details = parameterFindings(query, { known: isTitle, once: isTitle })
  if (details.length > 0) throw validationFailed(details)
  return query.parameters.get('title') ?? ''
}

/** A `Host` header may hold anything; then the page cannot name its origin. */
function originOf({ request }: Call): string | undefined {
  return URL.canParse(request.url) ? new URL(request.url).origin : undefined
}

const HINT = 'The demo is for a browser on the machine of the server. Start it with --demo to show it to everyone.'

/** A publishable key of a project's live environment that lasts a day: keys are stored as hashes, none can be shown again. */
function temporaryKeys(sql: Pool, clock: Clock): (project: Project) => Promise<string> {
  const made = new Map<string, { until: number; key: Promise<string> }>()
  const make = async (project: Project, until: number) => {
    const key = newApiKey('publishable', 'live')
    const record = {
      projectId: project.id,
      env: 'live',
      kind: 'publishable',
      name: 'demo',
      expiresAt: new Date(until),
    } as const
    await createKey(sql, { ...record, keyHash: hashKey(key), hint: keyHint(key) })
    return key
  }
  // Looked up and kept without a pause between: pages that are asked for at once would each make a key.
  return (project) => {
    const now = clock().getTime()
    const known = made.get(project.id)
    // An hour is left for the page that is being read.
    if (known && known.until - now > 3_600_000) return known.key
    const until = now + KEY_SECONDS * 1000
    const key = make(project, until)
    const entry = { until, key }
    made.set(project.id, entry)
    key.catch(() => made.get(project.id) === entry && made.delete(project.id))
    return key
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
  /** Of the project that the pages are for, whether it exists or not. */
  name: string
  project: Project | undefined
  key: string | undefined
  origin: string | undefined
}

function html(page: DemoPage, shown: Shown): Reply {
  return {
    status: 200,
    body: documentOf(page, shown),
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY },
  }
}

function documentOf(page: DemoPage, { name, project, key, origin }: Shown): string {
  const isSample = name === DEMO_PROJECT
  const links = [...(isSample ? PAGES : []), ownPage('')].map((each) => {
    const current = each.slug === page.slug ? ' aria-current="page"' : ''
    return `<a href="${addressOf(each)}"${current}>${escaped(each.name)}</a>`
  })
  const site = isSample ? SITE : name
  const tag = key && tagOf(key)
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
${notice(name, project, origin)}
<div data-reviews>${tag ?? ''}</div>
</main>
<footer>
<h2>How this page gets its reviews</h2>
<p>It holds one tag and nothing else of Pullquote. The tag asks with what the page says of itself: <em>${escaped(query)}</em></p>
${tag ? `<pre><code>${escaped(tag)}</code></pre>` : ''}
<form action="/demo/own" method="get">
<input name="title" maxlength="${OWN_TEXT_LENGTH}" required aria-label="Heading of a page of your own" placeholder="Heading of a page of your own">
<button>Show its reviews</button>
</form>
</footer>
</body>
</html>
`
}

function tagOf(key: string): string {
  return `<pullquote-reviews data-key="${key}" data-reserve="auto"
  data-limit="${DEMO_CARDS}" data-theme="auto" data-heading="What guests say" data-note="auto"></pullquote-reviews>
<script async src="/snippet.js"></script>`
}

/** What keeps the reviews from showing, and the command that mends it. */
function notice(name: string, project: Project | undefined, origin: string | undefined): string {
  if (!project) {
    const way =
      name === DEMO_PROJECT
        ? '<code>npm run demo</code> makes it with sample reviews, and <code>pullquote serve --demo-project NAME</code> shows another.'
        : 'Make it, or start the server with another name behind <code>--demo-project</code>.'
    return `<p class="notice">There is no project ${escaped(name)}. ${way}</p>`
  }
  if (origin === undefined) return '<p class="notice">The request names no host, so no reviews are shown.</p>'
  // Behind a proxy that ends TLS the browser's scheme is another than the one that arrives here.
  const origins = [origin, origin.replace(/^http:/, 'https:')]
  if (origins.some((each) => project.allowedOrigins.includes(each))) return ''
  // The origins that it has are not for everybody who may see this page.
  return `<p class="notice">The project does not allow this page’s origin, ${escaped(origin)}, so no reviews are shown. Add it: <code>pullquote projects set "${escaped(name)}" --add-origin ${escaped(origin)}</code></p>`
}
