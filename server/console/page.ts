import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ICON_LINK } from '../pages/icon.ts'
import { type Bundle, bundleOf } from '../snippet/bundles.ts'

/** `dist/console`, from the compiled server and from a development checkout. */
const FOLDERS = ['../../console', '../../dist/console'].map((folder) => join(import.meta.dirname, folder))

/** The files of the built page. */
export type ConsolePage = Record<'script' | 'style', Bundle>

/** Undefined in a checkout without a build. */
export function readConsolePage(): ConsolePage | undefined {
  const folder = FOLDERS.find((candidate) => existsSync(join(candidate, 'console.js')))
  if (folder === undefined) return undefined
  const read = (name: string) => bundleOf(readFileSync(join(folder, name)))
  return { script: read('console.js'), style: read('console.css') }
}

/** Nothing is loaded from elsewhere or framed, and markup in a review could not run. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/**
 * The document, the same for everybody: its data is loaded after sign-in. Addresses are relative, for proxies with a path
 * prefix.
 */
export function renderConsolePage({ script, style }: ConsolePage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>Pullquote</title>
${ICON_LINK}
<link rel="stylesheet" href="console/${assetFileName('css', style)}">
<script type="module" src="console/${assetFileName('js', script)}"></script>
</head>
<body><noscript>The console needs JavaScript.</noscript></body>
</html>
`
}

export function assetFileName(ending: 'js' | 'css', { hash }: Bundle): string {
  return `console.${hash}.${ending}`
}
