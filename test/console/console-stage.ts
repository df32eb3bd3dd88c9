/** A server with a sample project, and a browser whose pages are signed in to its console. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { createOperator, type Operator } from '../../src/client/operator.ts'
import { type ServeProcess, serve } from '../cli/serve-process.ts'
import { type Browser, noChromium, openChromium } from '../snippet/chromium.ts'
import { suite } from '../suite.ts'

export const PROJECT = 'tarnholm-lake-hotel'
const TOKEN = 'operator-token-of-this-test'
const SAMPLE = join(import.meta.dirname, '../../templates/demo/reviews.json')
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export interface Opened {
  page: Page
  /** What the page wrote to its console, and uncaught errors as `error: …`. */
  lines: string[]
}

export class ConsoleStage {
  readonly server: ServeProcess
  readonly operator: Operator
  readonly home: string
  readonly #browser: Browser

  private constructor(server: ServeProcess, browser: Browser, home: string) {
    this.server = server
    this.home = home
    this.#browser = browser
    this.operator = createOperator({
      fetch: (request) => fetch(request),
      baseUrl: server.url,
      operatorToken: TOKEN,
    })
  }

  static async open(): Promise<ConsoleStage> {
    const home = mkdtempSync(join(tmpdir(), 'pullquote-console-'))
    const server = await serve(home, {
      env: { PULLQUOTE_HOME: join(home, 'data'), PULLQUOTE_OPERATOR_TOKEN: TOKEN, PULLQUOTE_LOG_LEVEL: 'error' },
    })
    const stage = new ConsoleStage(server, await openChromium(), home)
    await stage.operator.createProject({ name: PROJECT, plan: 'paid' })
    await stage.push(JSON.parse(readFileSync(SAMPLE, 'utf8')))
    return stage
  }

  async push(reviews: unknown[], project = PROJECT): Promise<void> {
    const { key } = await this.operator.createKey({ project, kind: 'secret', env: 'live', expires_in_seconds: 3600 })
    for (let at = 0; at < reviews.length; at += 100) {
      const response = await fetch(`${this.server.url}/v1/reviews`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(reviews.slice(at, at + 100)),
      })
      assert.is(response.status, 200, await response.text())
    }
    await this.indexed()
  }

  /** Resolves when nothing waits to be indexed. */
  async indexed(): Promise<void> {
    for (let waiting = 1; waiting > 0; ) {
      const { queue } = await (await fetch(`${this.server.url}/readyz`)).json()
      // The queue is null when the database is too busy to answer.
      waiting = queue?.queued ?? 1
      if (waiting > 0) await new Promise((resume) => setTimeout(resume, 100))
    }
  }

  async link(fields: { project?: string } = {}): Promise<string> {
    return this.server.url + (await this.operator.createConsoleLink(fields)).path
  }

  /** Signs in by a new link and opens a view. */
  async visit(path = '', { project, ...options }: BrowserContextOptions & { project?: string } = {}): Promise<Opened> {
    const context = await this.#browser.context({ locale: 'en-GB', ...options })
    const page = await context.newPage()
    // Generous: other tests may be busy on the same machine.
    page.setDefaultTimeout(30_000)
    const lines: string[] = []
    page.on('console', (message) => lines.push(message.text()))
    page.on('pageerror', (error) => lines.push(`error: ${error.message}`))
    await page.goto(await this.link(project === undefined ? {} : { project }))
    await page.locator('nav a').first().waitFor()
    if (path !== '') {
      await page.evaluate((hash) => {
        location.hash = hash
      }, `#/${path}`)
    }
    return { page, lines }
  }

  /** A page that is not signed in. */
  async stranger(options: BrowserContextOptions = {}): Promise<Opened> {
    const context = await this.#browser.context({ locale: 'en-GB', ...options })
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    const lines: string[] = []
    page.on('console', (message) => lines.push(message.text()))
    page.on('pageerror', (error) => lines.push(`error: ${error.message}`))
    return { page, lines }
  }

  async close(): Promise<void> {
    await this.#browser.close()
    await this.server.stop()
    rmSync(this.home, { recursive: true, force: true })
  }
}

/** The accessibility violations that axe finds on the page. */
export async function violations(page: Page): Promise<string[]> {
  // Injected through the debugger, since the page's content security policy forbids it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  return page.evaluate(async () => {
    const run = Reflect.get(window, 'axe').run
    const { violations } = await run(document, { resultTypes: ['violations'] })
    return violations.flatMap((one: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
      one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 200)} ${node.failureSummary}`),
    )
  })
}

/** Saves a screenshot if PULLQUOTE_SCREENSHOTS names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.PULLQUOTE_SCREENSHOTS
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

/** A suite whose tests share one stage; without a browser they are reported as skipped, and fail in CI. */
export function consoleSuite(name: string) {
  const test = suite(name)
  let stage: ConsoleStage | undefined
  if (!noChromium) {
    test.before(async () => {
      stage = await ConsoleStage.open()
    })
    test.after(async () => stage?.close())
  }
  const onStage = (title: string, body: (stage: ConsoleStage) => Promise<void>) => {
    if (noChromium) return test.skip(title, noChromium)
    test(title, async () => {
      if (!stage) throw new Error('the stage did not open')
      await body(stage)
    })
  }
  return Object.assign(onStage, { run: () => test.run() })
}
