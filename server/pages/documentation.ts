import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Relative to the compiled server and to a development checkout. */
const FOLDERS = ['../../../docs', '../../docs'].map((folder) => join(import.meta.dirname, folder))

/**
 * The documentation of this version: `docs/` of the package or of the checkout, rendered as HTML.
 * @returns undefined when the package has none
 */
export function openDocumentation(folders: readonly string[] = FOLDERS) {
  const folder = folders.find((candidate) => existsSync(join(candidate, 'api.md')))
  if (folder === undefined) return undefined
  const names = readdirSync(folder)
    .filter((name) => /^[a-z-]+\.md$/.test(name))
    .map((name) => name.slice(0, -3))
    .sort()
  const made = new Map<string, ReturnType<typeof rendered>>()
  return {
    /** Names of the pages, without `.md`. */
    names,
    /** A page as HTML, rendered when first requested. */
    page(name: string) {
      const known = made.get(name) ?? rendered(join(folder, `${name}.md`), names)
      made.set(name, known)
      // The next request retries.
      known.catch(() => made.delete(name))
      return known
    },
  }
}

async function rendered(file: string, names: readonly string[]) {
  // Loaded when a page is first read: most servers never need it.
  const [{ Marked }, { getHeadingList, gfmHeadingId }] = await Promise.all([
    import('marked'),
    import('marked-gfm-heading-id'),
  ])
  const text = await readFile(file, 'utf8')
  const marked = new Marked(gfmHeadingId(), {
    walkTokens(token) {
      if (token.type === 'link') token.href = addressOf(String(token.href), names)
    },
  })
  const html = marked.parse(text, { async: false })
  // Those of the last page that was parsed, so nothing is awaited between.
  const headings = getHeadingList().filter(({ level }) => level === 2 || level === 3)
  const sections = headings.filter(({ level }) => level === 2)
  // The commands stand a level below the few sections of their page.
  const listed = sections.length < LEAST_SECTIONS ? headings : sections
  return {
    title: /^# (.+)$/m.exec(text)?.[1] ?? '',
    html: withContents(withScrollingBlocks(withAnchors(html)), listed),
  }
}

/** Fewer sections than this are seen at a glance. */
const LEAST_SECTIONS = 5

/** Puts a list of the sections before the first one. */
function withContents(html: string, sections: readonly { id: string; text: string }[]): string {
  if (sections.length < LEAST_SECTIONS) return html
  const items = sections.map(({ id, text }) => `<li><a href="#${id}">${text}</a></li>`).join('')
  return html.replace('<h2 ', () => `<nav aria-label="On this page"><ul>${items}</ul></nav>\n<h2 `)
}

/** Maps a link between the files to the page's address. Other links stay as they are. */
function addressOf(href: string, names: readonly string[]): string {
  const [, name = '', anchor = ''] = /^(?:\.\/|docs\/)?([a-z-]+)\.md(#.*)?$/.exec(href) ?? []
  return names.includes(name) ? name + anchor : href
}

/** Makes each heading link to itself, so that its address can be copied. */
function withAnchors(html: string): string {
  return html.replace(/<(h[234]) id="([^"]+)">(.*?)<\/\1>/gs, '<$1 id="$2"><a class="here" href="#$2">$3</a></$1>')
}

/** Lets wide tables and examples scroll by themselves, with the keyboard too. Drops empty table heads. */
function withScrollingBlocks(html: string): string {
  return html
    .replace(/<thead>\s*<tr>(?:\s*<th><\/th>)+\s*<\/tr>\s*<\/thead>/g, '')
    .replaceAll('<th></th>', '<td></td>')
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<table>', '<div class="table" tabindex="0" role="group" aria-label="Table"><table>')
    .replaceAll('</table>', '</table></div>')
}
