/** A server with a sample project, and a browser whose pages are signed in to its console. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { Operator } from '../../src/client/operator.ts'
import { PROJECT, pushAndIndex, type SampleServer, serveSample } from '../sample-home.ts'
import { type Browser, noChromium, openChromium } from '../snippet/chromium.ts'
import { suite } from '../suite.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export interface Opened {
  page: Page
  /** What the page wrote to its console, and uncaught errors as `error: …`. */
  lines: string[]
}

export class ConsoleStage {
  readonly server: SampleServer
  readonly operator: Operator
  readonly home: string
  readonly #browser: Browser
  readonly #visits: Opened[] = []

  private constructor(server: SampleServer, browser: Browser, home: string) {
    this.server = server
    this.home = home
    this.#browser = browser
    this.operator = server.operator
  }

  static async open(): Promise<ConsoleStage> {
    const home = mkdtempSync(join(tmpdir(), 'pullquote-console-'))
    return new ConsoleStage(await serveSample(home), await openChromium(), home)
  }

  push(reviews: unknown[], project = PROJECT): Promise<void> {
    return pushAndIndex(this.server, project, reviews)
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
    this.#visits.push({ page, lines })
    return { page, lines }
  }

  forgetVisits(): void {
    this.#visits.length = 0
  }

  /** What the visited pages show and have written, to tell why a test failed. */
  async lookAtVisits(): Promise<string> {
    const texts = this.#visits.map(async ({ page, lines }) => {
      const shown = await page.evaluate(() => document.body.innerText).catch(String)
      return `${page.url()}\n${shown}\n${lines.join('\n')}`
    })
    return (await Promise.all(texts)).join('\n\n')
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
      stage.forgetVisits()
      try {
        await body(stage)
      } catch (error) {
        console.error(await stage.lookAtVisits())
        throw error
      }
    })
  }
  return Object.assign(onStage, { run: () => test.run() })
}
