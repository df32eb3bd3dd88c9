import { pageQueries } from '../../src/web-page/page-queries.ts'
import type { RouteResult } from '../http/response-rule.ts'
import { escapeHtml, htmlResult, styleSheet } from '../pages/html.ts'
import type { Project } from '../sql/projects/projects.ts'
import { CHIPS, DEMO_PROJECT, type DemoPage, OWN_SLUG, OWN_TEXT_LENGTH, PAGES, SITE } from './pages.ts'

/** As many cards as fit in a row. */
const CARDS = 3
const STYLE = styleSheet('..', 'demo', 'demo.css')

export interface Shown {
  /** Name of the pages' project, whether or not it exists. */
  name: string
  project: Project | undefined
  /** A publishable key of it. */
  key: string | undefined
  /** The origin of this page as seen by the browser. */
  origin: string | undefined
  /** Address of the server as seen by the browser, without a trailing slash. */
  address: string
  /** In the live environment; only for the sample, since a real project's number is not public. */
  reviews: number | undefined
}

/** The first page: what the tag does, with a field to try it. */
export function introduction(shown: Shown): RouteResult {
  const isSample = shown.name === DEMO_PROJECT
  const claim = shown.reviews ? `${shown.reviews} reviews, one tag.` : 'All reviews, one tag.'
  const first = isSample ? CHIPS[0] : undefined
  const chips = isSample ? CHIPS.map(chip).join('\n') : ''
  const pages = PAGES.map(
    ({ slug, name, title }) =>
      `<li><a href="demo/${slug}"><strong>${escapeHtml(name)}</strong><span>${escapeHtml(title)}</span></a></li>`,
  )
  const body = `<header><strong><a href="demo">${escapeHtml(isSample ? `${SITE}, a sample` : shown.name)}</a></strong><nav aria-label="Pages"><a href="docs/snippet">The tag</a> <a href=".">Server</a></nav></header>
<main class="intro">
<h1><span class="claim">${claim}</span> <span class="claim">Each page finds its own.</span></h1>
<p class="lead">${
    isSample
      ? 'Each page searches for its own topic and shows what guests wrote about it. Ask about anything:'
      : 'Each page searches for its own topic and shows what was written about it. Ask about anything:'
  }</p>
<form id="ask" action="demo/own" method="get" role="search"><input id="q" name="title" type="search" maxlength="${OWN_TEXT_LENGTH}" required aria-label="What the reviews should be about" placeholder="Ask about anything" autocomplete="off"><button>Ask</button></form>
${chips === '' ? '' : `<ul class="chips" aria-label="Examples">\n${chips}\n</ul>`}
${notice(shown)}
${shown.key ? live(shown, first) : ''}
${
  isSample
    ? `<h2>The hotel’s pages</h2>
<p class="lead">The same tag is on each. It searches with the page’s own heading, and if nothing fits, with its description as well.</p>
<ul class="pages">
${pages.join('\n')}
</ul>`
    : ''
}
${tagSection(shown)}
</main>`
  return htmlResult({
    title: `${claim} Each page finds its own.`,
    style: STYLE,
    head: head('', shown),
    hasScripts: true,
    body,
  })
}

function chip(query: string, index: number): string {
  return `<li><button type="button" aria-pressed="${index === 0}">${escapeHtml(query)}</button></li>`
}

/** The live block, and the status of its query. */
function live({ key }: Shown, first: string | undefined): string {
  return `<p id="said" class="said" role="status" aria-live="polite"></p>
<div class="answer">
<pullquote-reviews id="answer" data-key="${key}" data-limit="${CARDS}" data-theme="auto" data-note="auto"${first === undefined ? '' : ` data-query="${escapeHtml(first)}"`}></pullquote-reviews>
${nothing('No generic card, no stars to fill the page: the space stays empty.')}
</div>`
}

function nothing(text: string): string {
  return `<div id="nothing" class="nothing" hidden><strong>Nothing fits, so nothing is shown.</strong>${text}</div>`
}

/** A page of the hotel, or with the visitor's own heading. */
export function samplePage(page: DemoPage, shown: Shown): RouteResult {
  const { name, key } = shown
  const isSample = name === DEMO_PROJECT
  const site = isSample ? SITE : name
  const links = [...(isSample ? PAGES : []), { slug: OWN_SLUG, name: 'Your own' }].map(
    (each) =>
      `<a href="${each.slug}"${each.slug === page.slug ? ' aria-current="page"' : ''}>${escapeHtml(each.name)}</a>`,
  )
  const title = `${page.title} – ${site}`
  const [query = ''] = pageQueries({ h1: [page.title], title, description: [page.description], site: [site] })
  const block = `<pullquote-reviews data-key="${key}" data-limit="${CARDS}" data-theme="auto" data-heading="What guests say" data-note="auto"></pullquote-reviews>`
  return htmlResult({
    title,
    description: page.description,
    style: STYLE,
    head: `<meta property="og:site_name" content="${escapeHtml(site)}">\n${head('../', shown)}`,
    hasScripts: true,
    body: `<header><strong><a href="../demo">${escapeHtml(site)}</a></strong><nav aria-label="Pages">${links.join('\n')}</nav></header>
<main>
<h1>${escapeHtml(page.title)}</h1>
<p>${escapeHtml(page.text)}</p>
${notice(shown)}
<div class="answer">${key ? `${nothing('The tag is here too, as on every page. Even the best review was not about this.')}\n${block}` : ''}</div>
</main>
${key ? footer(query) : ''}`,
  })
}

/** Shows the tag; without a key there is none. */
function footer(query: string): string {
  return `<footer>
<h2>How this page gets its reviews</h2>
<p>It has the same tag as <a href="../demo#tag">all these pages</a>, which searches for what the page says about itself: <em>${escapeHtml(query)}</em></p>
<form action="own" method="get">
<input name="title" maxlength="${OWN_TEXT_LENGTH}" required aria-label="Heading of a page of your own" placeholder="Heading of a page of your own">
<button>Show its reviews</button>
</form>
</footer>`
}

function head(root: string, { key }: Shown): string {
  return key
    ? `<script async src="${root}snippet.js"></script>\n<script defer src="${root}demo/live.js"></script>\n`
    : ''
}

function tagSection({ key, address }: Shown): string {
  if (!key) return ''
  const tag = `<pullquote-reviews data-key="${key}" data-limit="${CARDS}"></pullquote-reviews>
<script async src="${address}/snippet.js"></script>`
  return `<h2 id="tag">The tag</h2>
<div class="code"><pre><code>${escapeHtml(tag)}</code></pre><button type="button" data-copy>Copy</button></div>
<p class="small">This is the demo’s key; it lasts a day and works on this server’s own pages. <code>pullquote snippet --new-key</code> prints a tag of your own, which
also reserves space for the reviews.</p>`
}

/** Explains why no reviews are shown, with the command that fixes it. */
function notice({ name, project, origin }: Shown): string {
  if (!project) {
    const way =
      name === DEMO_PROJECT
        ? '<code>npm run demo</code> creates it with sample reviews, and <code>pullquote serve --demo-project NAME</code> shows another.'
        : 'Create it, or start the server with another name after <code>--demo-project</code>.'
    return `<p class="notice">There is no project ${escapeHtml(name)}. ${way}</p>`
  }
  if (origin === undefined) return '<p class="notice">The request names no host, so no reviews are shown.</p>'
  // Behind a proxy that terminates TLS the browser's scheme differs from the one that arrives here.
  const origins = [origin, origin.replace(/^http:/, 'https:')]
  if (origins.some((each) => project.allowedOrigins.includes(each))) return ''
  // The project's origins are not shown: not everybody who sees this page may know them.
  return `<p class="notice">The project does not allow this page’s origin, ${escapeHtml(origin)}, so no reviews are shown. Add it: <code>pullquote projects set "${escapeHtml(name)}" --add-origin ${escapeHtml(origin)}</code></p>`
}
