import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RouteResult } from '../http/response-rule.ts'
import { ICON_LINK } from './icon.ts'

/** A style sheet beside this file, or of another folder of the server; read once, when its page's module is loaded. */
export function styleSheet(...path: string[]): string {
  return readFileSync(join(import.meta.dirname, ...path), 'utf8')
}

const SITE = styleSheet('site.css')

export interface Page {
  title: string
  description?: string
  /** Behind that of the site. */
  style?: string
  /** What else the head holds. */
  head?: string
  body: string
  /** Runs the server's own scripts, which ask the server's own routes. */
  hasScripts?: boolean
}

/** Any route's, and of one whose answer is described. */
export type HtmlResult = RouteResult & { status: 200; body: string }

/** A page of the server under a policy as strict as a careful site would have it. */
export function htmlResult({ title, description, style = '', head = '', body, hasScripts = false }: Page): HtmlResult {
  const css = `${SITE}${style}`
  return {
    status: 200,
    body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
${ICON_LINK}
${description === undefined ? '' : `<meta name="description" content="${escapeHtml(description)}">\n`}<meta name="robots" content="noindex">
${head}<style>${css}</style>
</head>
<body>
${body}
</body>
</html>
`,
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policyOf(css, hasScripts) },
  }
}

function policyOf(css: string, hasScripts: boolean): string {
  return [
    "default-src 'none'",
    'img-src data:',
    ...(hasScripts ? ["script-src 'self'", "connect-src 'self'"] : []),
    `style-src 'sha256-${createHash('sha256').update(css).digest('base64')}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Text as it may stand in HTML, in attributes as well. */
export function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
