// @ts-check
// Runs in the thread of Node's loader: see transpiled-loader.js.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = pathToFileURL(join(import.meta.dirname, '..', '/')).href
const folder = process.env.PULLQUOTE_TEST_TRANSPILED ?? ''

/** @type {import('node:module').ResolveHook} */
export function resolve(specifier, context, next) {
  if (!specifier.startsWith('.') || !specifier.endsWith('.ts')) return next(specifier, context)
  return { url: new URL(specifier, context.parentURL).href, shortCircuit: true }
}

/** @type {import('node:module').LoadHook} */
export function load(url, context, next) {
  if (!url.startsWith(root) || !url.endsWith('.ts')) return next(url, context)
  const source = readFileSync(join(folder, `${decodeURI(url.slice(root.length))}.js`), 'utf8')
  return { format: 'module', source, shortCircuit: true }
}
