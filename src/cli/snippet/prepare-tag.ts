import { tagHtml } from '../../../snippet/tag-html.ts'
import type { Operator } from '../../client/operator.ts'
import { type ListedKey, parseKey } from '../../contract/key.ts'
import { parseUrl } from '../../contract/parse-url.ts'
import type { Project } from '../../contract/project.ts'
import type { Environment } from '../../contract/review.ts'
import { checkKeyScope } from '../connection/key-scope.ts'
import { clientFor, type Session, withClient } from '../connection/session.ts'
import { usageError } from '../errors/cli-error.ts'
import { queryOptions } from '../flags.ts'
import { keyState } from '../keys.ts'
import type { Reporter } from '../output/terminal.ts'
import { oneLine } from '../output/text.ts'
import { chooseProject } from '../projects.ts'
import { isAtTerminal, promptYesNo } from '../prompts.ts'
import { type Preview, previewPage, previewQuery } from './preview.ts'
import { type AttributeFlags, fetchSnippetFile, tagAttributes } from './tag.ts'

const PLACEHOLDER = 'svc_pk_live_YOUR_PUBLISHABLE_KEY'

export interface PreparedTag {
  tag: string
  /** The tag for exactly this version of the file, with its integrity. */
  pinnedTag: string
  integrity: string
  key: TagKey | null
  /** Undefined unless it is known from the operator's routes. */
  project: Project | undefined
  previews: Preview[]
}

/** Checks the flags of `pullquote snippet` before connecting. @throws {CliError} usage */
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
    // As the snippet queries in every layout: each review once, by its best excerpt.
    options: { ...queryOptions(flags), mode: 'reviews' as const },
    host: flags.host === undefined ? undefined : parseHost(flags.host),
    pages: flags.url ?? [],
    query: flags.query,
    flags,
  }
}

/** Previews the pages, then creates the key and the tag. @throws {CliError} when there is no key, project or snippet */
export async function prepareTag(
  session: Session,
  { attributes, options, host, pages, query, flags }: ReturnType<typeof tagRequest>,
  context: { json: boolean; signal: AbortSignal; reporter: Reporter },
): Promise<PreparedTag> {
  const { connection, operator, settings } = session
  const given = settings.key
  const isPublishable = given !== undefined && parseKey(given)?.kind === 'publishable'
  if (given !== undefined) await checkKeyScope(given, settings, { client: clientFor(session, given), operator })
  const source = keySource(isPublishable, flags, context.json)
  const project = await projectOf(session, isPublishable && source !== 'new')
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
  // Last, so that a failed command leaves no key behind.
  const key = await obtainKey(source, session, project, context)
  const element = attributes(key?.key ?? PLACEHOLDER)
  const address = (host ?? publicAddress(session, context.reporter)).replace(/\/+$/, '')
  const tag = tagHtml(element, `${address}/snippet.js`)
  const pinnedTag = tagHtml(element, `${address}/${file.hashedName}`, [
    ['integrity', file.integrity],
    ['crossorigin', 'anonymous'],
  ])
  return { tag, pinnedTag, integrity: file.integrity, key, project, previews }
}

/** A given key may belong to any project, so with one the project is inferred only when there is a single one. */
async function projectOf({ operator, settings }: Session, hasKey: boolean): Promise<Project | undefined> {
  if (!operator) return undefined
  if (!hasKey || settings.project !== undefined) return chooseProject(operator, settings.project)
  const { items, more } = await operator.firstProjects(1)
  return more ? undefined : items[0]
}

function publicAddress({ connection }: Session, reporter: Reporter): string {
  if (connection.kind === 'remote') return connection.baseUrl
  // The server's own setting, which is not always in the environment of commands.
  const configured = connection.publicUrl ?? process.env.PULLQUOTE_PUBLIC_URL
  if (configured) return configured
  const address = connection.kind === 'local-server' ? connection.baseUrl : 'http://127.0.0.1:8787'
  reporter.info(
    `The tag uses ${address}, which only this machine can reach. For visitors, add: --host https://reviews.example.com`,
  )
  return address
}

/** Checks the server's address for the tag: without a scheme it would be a path relative to the page. */
function parseHost(value: string): string {
  const url = parseUrl(value)
  const isWhole = url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === ''
  if (isWhole) return value
  throw usageError(
    `"${value}" is not the address of a server`,
    'give the full address, for example https://reviews.example.com',
  )
}

export type KeySource = 'given' | 'new' | 'none' | 'ask'

/** The key of a tag; with an `id` if it was just created. */
export type TagKey = { id?: string; key: string; created: boolean }

/** Keys stay in the list for good, so one is created only on request, never implicitly. */
function keySource(isGiven: boolean, flags: { 'new-key': boolean; 'no-key': boolean }, json: boolean): KeySource {
  // Flags override a key from the environment or the profile.
  if (flags['no-key']) return 'none'
  if (flags['new-key']) return 'new'
  if (isGiven) return 'given'
  if (isAtTerminal() && !json) return 'ask'
  throw usageError(
    'the tag needs a publishable key, and keys cannot be shown again',
    'give the one you have with --key',
    'create one with --new-key',
    'write a placeholder with --no-key',
  )
}

/** The key of the tag, created if requested. @returns null for a placeholder */
async function obtainKey(
  source: KeySource,
  { operator, settings }: Session,
  project: Project | undefined,
  { signal, reporter }: { signal: AbortSignal; reporter: Reporter },
): Promise<TagKey | null> {
  if (source === 'given' && settings.key !== undefined) return { key: settings.key, created: false }
  if (source === 'none') return null
  if (!operator || !project) {
    throw usageError(
      'the tag needs a publishable key, and this connection may not create one',
      'give the key with --key, or write a placeholder with --no-key',
    )
  }
  const env = settings.env ?? 'live'
  if (source === 'ask') {
    await listActiveKeys(operator, project, env, reporter)
    if (!(await promptYesNo(`Create a new publishable key for ${project.name} (${env})?`, signal))) {
      reporter.info('The tag has a placeholder instead of a key. Give a key with --key, or create one with --new-key.')
      return null
    }
  }
  const { id, key } = await operator.createKey({ project: project.id, kind: 'publishable', env, name: 'snippet' })
  reporter.info(
    `Created the publishable key "snippet" for ${project.name} (${env}). Next time, give it with --key: it is not shown again.`,
  )
  return { id, key, created: true }
}

async function listActiveKeys(operator: Operator, project: Project, env: Environment, reporter: Reporter) {
  const now = new Date()
  const isIt = (key: ListedKey) => key.kind === 'publishable' && key.env === env && keyState(key, now) === 'active'
  const there = (await operator.keys(project.id)).filter(isIt)
  if (there.length === 0) return
  const ends = there.map(({ hint, name }) => `…${hint}${name === null ? '' : ` (${oneLine(name)})`}`)
  reporter.info(`${project.name} already has publishable keys: ${ends.join(', ')}.`)
  reporter.info('To use one of them, answer no and give it with --key.')
}
