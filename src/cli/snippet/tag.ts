import { createHash } from 'node:crypto'
import { ConnectionFailed } from '../../client/errors.ts'
import type { Fetch } from '../../client/fetch.ts'
import { CliError } from '../errors/failure.ts'

/** The file of the snippet as a server has it now. */
export interface SnippetFile {
  /** Name beside `snippet.js` that never changes its content. */
  hashedName: string
  integrity: string
  /** As it travels, with gzip. */
  bytes: number
}

/**
 * Asks a server for its snippet. The integrity is computed here, from what visitors would get.
 *
 * @throws {ConnectionFailed | CliError} when no server answers, or it has no snippet
 */
export async function fetchSnippetFile(fetch: Fetch, baseUrl: string): Promise<SnippetFile> {
  const address = `${baseUrl}/snippet.js`
  const response = await fetch(new Request(address)).catch((error: unknown) => {
    throw new ConnectionFailed(baseUrl, { cause: error })
  })
  const hashedName = response.headers.get('content-location') ?? ''
  if (!response.ok || !/^snippet\.\w+\.js$/.test(hashedName)) {
    throw new CliError(`there is no snippet at ${address} (status ${response.status})`, {
      code: 'snippet_missing',
      hints: ['check the address of the server', 'in a checkout of the source, run: npm run build'],
    })
  }
  const content = new Uint8Array(await response.arrayBuffer())
  return {
    hashedName,
    integrity: `sha384-${createHash('sha384').update(content).digest('base64')}`,
    bytes: content.length,
  }
}

/** Attributes of an element in the order they are written; `true` stands alone, `undefined` is left out. */
export type TagAttributes = [name: string, value: string | true | undefined][]

/** Gives the kept place back when the file cannot be loaded: a page must not have a hole because a server is down. */
const ON_ERROR = 'this.previousElementSibling.style.minHeight=0'

/**
 * What is pasted: the element in which the reviews appear, which keeps their place from the first paint on, and the script.
 * Values are escaped: any text may stand in them.
 */
export function renderTag(element: TagAttributes, script: TagAttributes): string {
  return `<pullquote-reviews${written(element)}></pullquote-reviews>\n<script async${written([...script, ['onerror', ON_ERROR]])}></script>`
}

function written(attributes: TagAttributes): string {
  const each = attributes.map(([name, value]) => {
    if (value === undefined) return ''
    return value === true ? ` ${name}` : ` ${name}="${escaped(value)}"`
  })
  return each.join('')
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
