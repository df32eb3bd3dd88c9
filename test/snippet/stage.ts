import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { buildSnippet } from '../../scripts/build-snippet.ts'
import { suite } from '../suite.ts'
import { type Browser, noChromium, openChromium } from './chromium.ts'
import { type FakeService, fakeService, KEY, type Local, listen } from './fake-service.ts'

export interface Opened {
  page: Page
  /** What the page wrote to its console, and uncaught errors as `error: …`. */
  lines: string[]
}

interface Visit extends BrowserContextOptions {
  /** `Content-Security-Policy` of the page. */
  csp?: string
  /** Sent as XHTML, without anything before it. */
  isXml?: boolean
  before?: (page: Page) => Promise<unknown>
  /** An open page, which goes there: a new one, with a process of its own, takes three times the CPU time. */
  opened?: Opened | undefined
}

const TYPES: Record<string, string> = { js: 'text/javascript', xhtml: 'application/xhtml+xml' }

let snippet: Promise<string> | undefined

async function builtSnippet(): Promise<string> {
  const installed = process.env.PULLQUOTE_TEST_CLI
  if (installed) return readFileSync(join(installed, '../../dist/snippet/snippet.js'), 'utf8')
  const folder = mkdtempSync(join(tmpdir(), 'pullquote-snippet-'))
  const file = join(folder, 'snippet.js')
  await buildSnippet(file)
  const script = readFileSync(file, 'utf8')
  rmSync(folder, { recursive: true, force: true })
  return script
}

/** The service and a shop's web site, on two origins, and a browser. */
export class Stage {
  readonly service: FakeService
  private readonly site: Local
  private readonly browser: Browser
  private readonly pages: Map<string, { html: string; csp?: string | undefined }>

  private constructor(
    service: FakeService,
    site: Local,
    browser: Browser,
    pages: Map<string, { html: string; csp?: string | undefined }>,
  ) {
    this.service = service
    this.site = site
    this.browser = browser
    this.pages = pages
  }

  static async open(): Promise<Stage> {
    snippet ??= builtSnippet()
    const pages = new Map<string, { html: string; csp?: string | undefined }>()
    const site = await listen((_request, response, url) => {
      const page = pages.get(url.pathname)
      // A browser asks for an icon by itself, and writes a line when there is none.
      response.writeHead(page ? 200 : url.pathname === '/favicon.ico' ? 204 : 404, {
        'content-type': TYPES[url.pathname.replace(/.*\./, '')] ?? 'text/html; charset=utf-8',
        ...(page?.csp ? { 'content-security-policy': page.csp } : {}),
      })
      response.end(page?.html)
    })
    return new Stage(await fakeService(await snippet), site, await openChromium(), pages)
  }

  /** The site's own origin. */
  get origin(): string {
    return this.site.origin
  }

  /** A script tag of the snippet with a key, and attributes as they are written in HTML. */
  tag(attributes = '', file = 'snippet.js'): string {
    return `<script async src="${this.service.origin}/${file}" data-key="${KEY}" ${attributes}></script>`
  }

  /** Puts a file onto the site. */
  put(path: string, content: string): void {
    this.pages.set(path, { html: content })
  }

  /** Opens a page whose body (and head) the test writes. */
  async visit(html: string, { csp, isXml, ...options }: Visit = {}): Promise<Opened> {
    const source = /<html/i.test(html) ? html : `<title>Page</title><main>${html}</main>`
    const path = isXml ? '/page.xhtml' : '/page'
    this.pages.set(path, {
      html: isXml || /^<!doctype|^<!-- quirks/i.test(source) ? source : `<!doctype html>${source}`,
      csp,
    })
    return this.browse(this.site.origin + path, options)
  }

  /** Opens a page of any server. */
  async browse(url: string, { before, opened, ...options }: Omit<Visit, 'csp' | 'isXml'> = {}): Promise<Opened> {
    if (opened) {
      await opened.page.goto(url)
      return opened
    }
    const context = await this.browser.context({ locale: 'en-GB', ...options })
    const page = await context.newPage()
    // Generous: other tests may be busy on the same machine.
    page.setDefaultTimeout(30_000)
    const lines: string[] = []
    page.on('console', (message) => lines.push(message.text()))
    page.on('pageerror', (error) => lines.push(`error: ${error.message}`))
    await page.addInitScript(() => {
      const events: { name: string; detail: unknown; path: string }[] = []
      for (const name of ['loaded', 'empty', 'error']) {
        document.addEventListener(`pullquote:${name}`, (event) => {
          events.push({ name, detail: (event as CustomEvent).detail, path: (event.target as Element).localName })
        })
      }
      Object.assign(window, { events })
    })
    await before?.(page)
    await page.goto(url)
    return { page, lines }
  }

  /** Opens a page and waits until reviews are shown, or an empty answer or an error was told. */
  async settle(html: string, options: Visit = {}): Promise<Opened & { events: PageEvent[] }> {
    const opened = await this.visit(html, options)
    await opened.page.waitForFunction(() => Reflect.get(window, 'events').length > 0)
    return { ...opened, events: await eventsOf(opened.page) }
  }

  async close(): Promise<void> {
    await this.browser.close()
    await this.service.close()
    await this.site.close()
  }
}

export interface PageEvent {
  name: string
  detail: { status: number; requestId: string; code?: string; response?: { match: string } }
  path: string
}

/** Waits until a line of the console matches; for what comes by itself and can't be waited for in the page. */
export async function untilLine(lines: string[], pattern: RegExp): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (lines.some((line) => pattern.test(line))) return
    await new Promise((resume) => setTimeout(resume, 100))
  }
  throw new Error(`no line of the console matches ${pattern}:\n${lines.join('\n')}`)
}

export function eventsOf(page: Page): Promise<PageEvent[]> {
  return page.evaluate(() => Reflect.get(window, 'events'))
}

/** A suite whose tests get a stage; without a browser they are left out loudly, in CI they fail. */
export function stageSuite(name: string) {
  const test = suite(name)
  let stage: Stage | undefined
  if (!noChromium) {
    test.before(async () => {
      stage = await Stage.open()
    })
    test.after(async () => stage?.close())
  }
  const onStage = (title: string, body: (stage: Stage) => Promise<void>) => {
    if (noChromium) return test.skip(title, noChromium)
    test(title, async () => {
      if (!stage) throw new Error('the stage did not open')
      stage.service.plan = {}
      stage.service.queries.length = 0
      stage.service.notes.length = 0
      await body(stage)
    })
  }
  return Object.assign(onStage, { run: () => test.run() })
}
