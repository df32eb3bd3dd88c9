import { defineRoute, type Route } from '../../http/route.ts'
import { openDocumentation } from '../../pages/documentation.ts'
import { escapeHtml, type HtmlResult, htmlResult, styleSheet } from '../../pages/html.ts'

const STYLE = styleSheet('documentation.css')

/** The purpose of each page, in the order of the list. Pages not named here come last. */
const PURPOSES: Record<string, string> = {
  api: 'the /v1 API, with examples',
  snippet: 'the tag for web pages',
  console: 'the page on which owners see and manage their reviews',
  import: 'importing reviews: vendors’ files, mappings, the watched folder, Google places',
  cli: 'every command',
  configuration: 'every setting',
  deployment: 'running it: proxies, caches, starting and stopping',
  backup: 'backup and restore',
  security: 'keys and tokens, and what is stored',
  models: 'the built-in models: what they are good at, and where they go wrong',
  'embedding-providers': 'using another embedding model',
  scaling: 'how many reviews and projects it can hold',
  performance: 'measurements',
  architecture: 'how the code is laid out',
  decisions: 'how ambiguous points of the API document are read',
}

export interface DocumentationPage {
  title: string
  main: string
  /** Relative path from the page to the server's root: empty, or `../` with a trailing slash. */
  root: string
}

export function documentationPage({ title, main, root }: DocumentationPage): HtmlResult {
  return htmlResult({
    title: `${title} – Pullquote`,
    style: STYLE,
    body: `<header><strong><a href="${root}.">Pullquote</a></strong><nav aria-label="Documentation"><a href="${root}docs">All pages</a> <a href="${root}docs/errors">Errors</a> <a href="${root}openapi.json">OpenAPI</a></nav></header>\n<main>\n${main}\n</main>`,
  })
}

/** `GET /docs` and its pages: the documentation of the running version. */
export function documentationRoutes(): Route[] {
  const documentation = openDocumentation()
  if (!documentation) return []
  const { names } = documentation
  const route = (path: string, body: () => Promise<DocumentationPage>) =>
    defineRoute({
      method: 'GET',
      path,
      access: 'open',
      query: 'ignored',
      async handle() {
        return documentationPage(await body())
      },
    })
  return [
    route('/docs', async () => ({ title: 'Documentation', main: indexOf(names), root: '' })),
    ...names.map((name) =>
      route(`/docs/${name}`, async () => {
        const { title, html } = await documentation.page(name)
        return { title, main: html, root: '../' }
      }),
    ),
  ]
}

function indexOf(names: readonly string[]): string {
  const known = Object.keys(PURPOSES).filter((name) => names.includes(name))
  const listed = [...known, ...names.filter((name) => !known.includes(name))].map((name) => {
    const title = name === 'api' || name === 'cli' ? name.toUpperCase() : name.replace(/^./, (c) => c.toUpperCase())
    const purpose = PURPOSES[name] ?? ''
    return `<li><a href="docs/${name}">${escapeHtml(title.replaceAll('-', ' '))}</a><span>${escapeHtml(purpose)}</span></li>`
  })
  return `<h1>Documentation</h1>
<p>For the version running here. Every error code is explained in the <a href="docs/errors">error reference</a>, and programs can read
<a href="openapi.json">openapi.json</a>.</p>
<ul class="pages">
${listed.join('\n')}
</ul>`
}
