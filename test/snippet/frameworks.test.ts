/** The block on pages that a framework renders on the server and takes over in the browser, with the real frameworks. */
import { build } from 'esbuild'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { compile } from 'svelte/compiler'
import * as assert from 'uvu/assert'
import { createSSRApp } from 'vue'
import { renderToString as renderVue } from 'vue/server-renderer'
import { answer, result } from './reviews.ts'
import { type Stage, stageSuite } from './stage.ts'

const test = stageSuite('pages of frameworks')

const echo = (url: URL) => answer([result({ text: `About ${url.searchParams.get('q') ?? 'nothing'}.` })])

/** A module and what it imports, as one classic script. */
async function bundled(source: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: 'iife',
    define: {
      'process.env.NODE_ENV': '"development"',
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'true',
    },
    conditions: ['browser'],
    plugins: [
      {
        name: 'svelte',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /\.svelte$/ }, ({ path }) => ({ path, namespace: 'svelte' }))
          onLoad({ filter: /./, namespace: 'svelte' }, () => ({
            contents: compile(SVELTE, { generate: 'client' }).js.code,
            resolveDir: import.meta.dirname,
          }))
        },
      },
    ],
  })
  return outputFiles[0]?.text ?? ''
}

const SVELTE = `<script>let topic = $state('beds'); globalThis.change = (next) => { topic = next }</script>
  <h1>Rooms</h1><pullquote-reviews data-query={topic}></pullquote-reviews><div data-pullquote data-query="food"></div>`

/**
 * Opens the server's page, waits until the snippet has filled both blocks, lets the framework take the page over, and
 * returns what is shown then, what it is after a change of state, and the lines of the console.
 */
async function takeOver(stage: Stage, html: string, script: string) {
  stage.service.plan = { response: echo }
  stage.put('/app.js', await bundled(script))
  const { page, lines } = await stage.visit(
    `<html><head><title>x</title>${stage.tag()}</head><body><div id="app">${html}</div></body></html>`,
  )
  await page.locator('li').nth(1).waitFor()
  await page.addScriptTag({ url: '/app.js' })
  await page.waitForFunction(() => Reflect.has(window, 'change'))
  await page.waitForTimeout(300)
  const before = await page.locator('blockquote').allTextContents()
  await page.evaluate(() => Reflect.get(window, 'change')('a sauna'))
  await page.getByText('About a sauna.').waitFor()
  const after = await page.locator('blockquote').allTextContents()
  await page.context().close()
  return { before, after, lines: lines.filter((line) => /warn|error|mismatch|hydrat|\[pullquote\]/i.test(line)) }
}

const SHOWN = {
  before: ['About beds.', 'About food.'],
  after: ['About a sauna.', 'About food.'],
  lines: [],
}

test('React: hydrating leaves both kinds of block, and a new query is asked for', async (stage) => {
  const page = (topic: string) =>
    createElement(
      'main',
      null,
      createElement('h1', null, 'Rooms'),
      createElement('pullquote-reviews', { 'data-query': topic }),
      createElement('div', { 'data-pullquote': true, 'data-query': 'food' }),
    )
  const script = `
    import { createElement, useState } from 'react'
    import { hydrateRoot } from 'react-dom/client'
    function Page() {
      const [topic, setTopic] = useState('beds')
      globalThis.change = setTopic
      return createElement('main', null, createElement('h1', null, 'Rooms'),
        createElement('pullquote-reviews', { 'data-query': topic }),
        createElement('div', { 'data-pullquote': true, 'data-query': 'food' }))
    }
    hydrateRoot(document.getElementById('app'), createElement(Page))`
  assert.equal(await takeOver(stage, renderToString(page('beds')), script), SHOWN)
})

test('Vue: hydrating leaves both kinds of block, and a new query is asked for', async (stage) => {
  const template =
    '<h1>Rooms</h1><pullquote-reviews :data-query="topic"></pullquote-reviews><div data-pullquote data-query="food"></div>'
  const html = await renderVue(
    createSSRApp({
      template,
      data: () => ({ topic: 'beds' }),
      compilerOptions: { isCustomElement: (name: string) => name === 'pullquote-reviews' },
    }),
  )
  const script = `
    import { createSSRApp } from 'vue/dist/vue.esm-bundler.js'
    const app = createSSRApp({
      template: ${JSON.stringify(template)},
      data: () => ({ topic: 'beds' }),
      mounted() { globalThis.change = (next) => { this.topic = next } },
    })
    app.config.compilerOptions.isCustomElement = (name) => name === 'pullquote-reviews'
    app.mount('#app')`
  assert.equal(await takeOver(stage, html, script), SHOWN)
})

test('Svelte: hydrating leaves both kinds of block, and a new query is asked for', async (stage) => {
  const { render } = await import('svelte/server')
  const { code } = compile(SVELTE, { generate: 'server' }).js
  const module = await import(`data:text/javascript,${encodeURIComponent(absolute(code))}`)
  const { body } = render(module.default)
  const script = `
    import { hydrate } from 'svelte'
    import Page from './page.svelte'
    hydrate(Page, { target: document.getElementById('app') })`
  assert.equal(await takeOver(stage, body, script), SHOWN)
})

/** A module given as data has no folder of its own to find packages in. */
function absolute(code: string): string {
  return code.replace(/from '(svelte[^']*)'/g, (_, name) => `from '${import.meta.resolve(name)}'`)
}

test.run()
