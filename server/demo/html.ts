import { createHash } from 'node:crypto'
import { reservedHeight } from '../../snippet/reserved-height.ts'

export const DEMO_CARDS = 3

export const STYLE = `
:root { color-scheme: light dark; --paper: #faf8f4; --ink: #26282c; --soft: #63676f; --line: #e3dfd7; --accent: #23586b; --sheet: #fff }
@media (prefers-color-scheme: dark) {
  :root { --paper: #15171a; --ink: #ebebea; --soft: #a3a8b0; --line: #31353b; --accent: #86c3d6; --sheet: #1d2024 }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 Charter, Georgia, 'Noto Serif', serif }
header, main, footer { max-width: 66rem; margin: 0 auto; padding: 0 1.5rem }
header { display: flex; flex-wrap: wrap; gap: .5rem 2rem; align-items: baseline; padding-block: 1.5rem; border-bottom: 1px solid var(--line) }
header strong { margin-inline-end: auto; font-size: 1.125rem }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; font: .9375rem/1.6 system-ui, sans-serif }
a { color: var(--accent) }
nav a { text-decoration: none }
nav a:hover, nav a[aria-current] { text-decoration: underline; text-underline-offset: .35em }
h1 { max-width: 22ch; margin: 3.5rem 0 1rem; font-size: clamp(2rem, 5vw, 3rem); line-height: 1.15; font-weight: 600 }
main > p { max-width: 38rem; margin: 0 0 2.5rem }
[data-reviews] { min-height: 1px; margin-bottom: 3.5rem }
pullquote-reviews { display: block; min-height: ${reservedHeight(DEMO_CARDS)} }
footer { padding-block: 1.75rem 4rem; border-top: 1px solid var(--line); color: var(--soft); font: .9375rem/1.6 system-ui, sans-serif }
footer h2 { margin: 0 0 .5rem; color: var(--ink); font-size: 1rem }
footer p { max-width: 44rem; margin: 0 0 1rem }
pre { max-width: 100%; margin: 0 0 1.5rem; padding: 1rem 1.25rem; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--sheet); border: 1px solid var(--line); border-radius: .5rem; color: var(--ink); font: .8125rem/1.6 ui-monospace, monospace }
form { display: flex; flex-wrap: wrap; gap: .5rem; max-width: 44rem }
input { flex: 1 1 18rem; padding: .5rem .75rem; background: var(--sheet); border: 1px solid var(--soft); border-radius: .375rem; color: var(--ink); font: inherit }
button { padding: .5rem 1.25rem; background: var(--accent); border: 0; border-radius: .375rem; color: var(--paper); font: inherit; cursor: pointer }
.notice { max-width: 44rem; padding: .75rem 1rem; border-inline-start: 3px solid var(--accent); background: var(--sheet); font: .9375rem/1.6 system-ui, sans-serif }
`

/** As strict as a careful site would have it: the snippet must work under such a policy. */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Text as it may stand in HTML, in attributes as well. */
export function escaped(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
