import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RouteResult } from '../http/response-rule.ts'
import { ICON_LINK } from './icon.ts'

/** A style sheet in this folder or another folder of the server; read once, when its page's module is loaded. */
export function styleSheet(...path: string[]): string {
  return readFileSync(join(import.meta.dirname, ...path), 'utf8')
}

const SITE = styleSheet('site.css')

export interface Page {
  title: string
  description?: string
  /** Appended to the site's. */
  style?: string
  /** Further elements of the head. */
  head?: string
  body: string
  /** Runs the server's own scripts, which request the server's own routes. */
  hasScripts?: boolean
}

/** Fits any route, including one with described responses. */
export type HtmlResult = RouteResult & { status: 200; body: string }

/** A page of the server with a strict content security policy. */
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

/** Text escaped for HTML, including attributes. */
export function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
