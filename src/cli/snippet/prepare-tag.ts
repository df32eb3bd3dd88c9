import { parseKey } from '../../contract/key.ts'
import type { Project } from '../../contract/project.ts'
import { checkKeyScope } from '../connection/key-scope.ts'
import { clientFor, type Session, withClient } from '../connection/session.ts'
import { queryOptions } from '../flags/query.ts'
import type { Reporter } from '../output/reporter.ts'
import { chooseProject } from '../projects/find-project.ts'
import type { AttributeFlags } from './flags.ts'
import { parseHost } from './host.ts'
import { type Preview, previewPage, previewQuery } from './preview.ts'
import { keySource, obtainKey, type TagKey } from './publishable-key.ts'
import { fetchSnippetFile, renderTag } from './tag.ts'
import { tagAttributes } from './tag-attributes.ts'

const PLACEHOLDER = 'svc_pk_live_YOUR_PUBLISHABLE_KEY'

export interface PreparedTag {
  tag: string
  /** Names this version of the file, with its integrity. */
  pinnedTag: string
  integrity: string
  key: TagKey | null
  /** Known where the operator token is, or the key's project is named. */
  project: Project | undefined
  previews: Preview[]
}

/** Flags of `pullquote snippet`, checked before anything is connected. */
export interface TagRequest extends ReturnType<typeof tagRequest> {}

/** @throws {CliError} usage */
export function tagRequest(
  flags: AttributeFlags & {
    host?: string | undefined
    url?: string[] | undefined
    'new-key': boolean
    'no-key': boolean
  },
) {
  return {
    attributes: tagAttributes(flags),
    // As the snippet asks, in any look: each review once, by its best excerpt.
    options: { ...queryOptions(flags), mode: 'reviews' },
    host: flags.host === undefined ? undefined : parseHost(flags.host),
    pages: flags.url ?? [],
    query: flags.query,
    flags,
  }
}

/** Previews the pages, and makes the key and the tag. @throws {CliError} when there is no key, project or snippet */
export async function prepareTag(
  session: Session,
  { attributes, options, host, pages, query, flags }: TagRequest,
  context: { json: boolean; signal: AbortSignal; reporter: Reporter },
): Promise<PreparedTag> {
  const { connection, operator, settings } = session
  const given = settings.key
  const isPublishable = given !== undefined && parseKey(given)?.kind === 'publishable'
  if (given !== undefined) await checkKeyScope(given, settings, { client: clientFor(session, given), operator })
  const source = keySource(isPublishable, flags, context.json)
  const project = await projectOf(session, isPublishable)
  const file = await fetchSnippetFile(connection.fetch, connection.baseUrl)
  const previews: Preview[] = []
  if (pages.length > 0 || query !== undefined) {
    await withClient(session, async ({ client }) => {
      const { signal } = context
      const deps = { client, fetch, options, query, signal, origins: project?.origins, sendsOrigin: isPublishable }
      for (const page of pages) previews.push(await previewPage(page, deps))
      if (pages.length === 0) previews.push(await previewQuery(query ?? '', deps))
    })
  }
  // Last, so that a command that fails leaves no key behind.
  const key = await obtainKey(source, session, project, context)
  const element = attributes(key?.key ?? PLACEHOLDER)
  const address = (host ?? publicAddress(session, context.reporter)).replace(/\/+$/, '')
  const tag = renderTag(element, [['src', `${address}/snippet.js`]])
  const pinnedTag = renderTag(element, [
    ['src', `${address}/${file.hashedName}`],
    ['integrity', file.integrity],
    ['crossorigin', 'anonymous'],
  ])
  return { tag, pinnedTag, integrity: file.integrity, key, project, previews }
}

/** A key that was given need not be of the project that would be chosen, so none is guessed for it. */
async function projectOf({ operator, settings }: Session, hasKey: boolean): Promise<Project | undefined> {
  if (!operator) return undefined
  if (!hasKey || settings.project !== undefined) return chooseProject(operator, settings.project)
  const [project, ...others] = await operator.projects()
  return others.length === 0 ? project : undefined
}

function publicAddress({ connection }: Session, reporter: Reporter): string {
  const configured = process.env.PULLQUOTE_PUBLIC_URL
  if (connection.kind === 'remote') return connection.baseUrl
  if (configured) return configured
  const address = connection.kind === 'local-server' ? connection.baseUrl : 'http://127.0.0.1:8787'
  reporter.info(
    `The tag names ${address}, which only this machine reaches. For visitors add: --host https://reviews.example.com`,
  )
  return address
}
