import { type Audience, isInAudience } from '../../http/loopback.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { htmlResult } from '../../pages/html.ts'

const STYLE = `
main p { max-width: 40rem }
.ways { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)); gap: 1rem; padding: 0; margin: 2rem 0; list-style: none }
.ways a { display: block; height: 100%; padding: 1.125rem 1.375rem; background: var(--sheet); border: 1px solid var(--line); border-radius: .75rem; color: inherit; text-decoration: none }
.ways a:hover { border-color: var(--accent) }
.ways strong { display: block; color: var(--accent); font-size: 1.125rem }
.ways span { color: var(--soft); font: .9375rem/1.5 var(--sans) }
.runs { font: .9375rem/1.6 var(--sans); color: var(--soft) }
.runs::before { content: ''; display: inline-block; width: .625em; height: .625em; margin-inline-end: .5em; border-radius: 50%; background: #2f9e5b }
`

/** `GET /`: what this server is. It reveals nothing about projects, and links only to what the reader may open. */
export function homePage({ demo, console }: Record<'demo' | 'console', Audience | undefined>): Route {
  return defineRoute({
    method: 'GET',
    path: '/',
    access: 'open',
    // Query strings added by mail programs and advertisements (`?utm_source=…`).
    query: 'ignored',
    async handle({ request }) {
      const maySee = (audience: Audience | undefined) => audience !== undefined && isInAudience(request, audience)
      const ways = [
        maySee(demo) && way('demo', 'Demo', 'One tag on the pages of a hotel. Each page finds its own reviews.'),
        maySee(console) &&
          way(
            'console',
            'Console',
            'See what visitors see and what they searched for in vain, and hide what should not appear.',
          ),
        way('docs', 'Documentation', 'The API, the tag, the commands and the settings of this version.'),
      ]
      return htmlResult({
        title: 'Pullquote',
        style: STYLE,
        body: `<header><strong>Pullquote</strong></header>
<main>
<h1>Reviews that fit the page</h1>
<p class="runs">This server is running.</p>
<p>Pullquote makes a business’s reviews searchable by meaning, so that each page of a website shows the excerpts that fit it: what guests say about
breakfast on the breakfast page, about parking on the directions page. Word for word; nothing is generated, and where nothing fits, nothing is shown.</p>
<ul class="ways">
${ways.filter(Boolean).join('\n')}
</ul>
</main>`,
      })
    },
  })
}

function way(href: string, name: string, purpose: string): string {
  return `<li><a href="${href}"><strong>${name}</strong><span>${purpose}</span></a></li>`
}
