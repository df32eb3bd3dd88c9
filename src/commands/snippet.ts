import { Flags } from '@oclif/core'
import { BaseCommand } from '../cli/base-command.ts'
import { checkKeyScope } from '../cli/connection/key-scope.ts'
import { chooseProject, type Session, withClient } from '../cli/connection/session.ts'
import { QUERY_FIELD_LABELS } from '../cli/errors/api-validation.ts'
import { usageError } from '../cli/errors/failure.ts'
import { clientFlags } from '../cli/flags/connection.ts'
import { metadataFlag, parseMetadata } from '../cli/flags/metadata.ts'
import { repeatedFlag, sourcesFlag } from '../cli/flags/repeated.ts'
import { keyState } from '../cli/keys/table.ts'
import { oneLine } from '../cli/output/printable.ts'
import { shellQuote } from '../cli/output/shell-quote.ts'
import { wrap } from '../cli/output/wrap.ts'
import { prompt } from '../cli/prompts/prompt.ts'
import { parseHost } from '../cli/snippet/host.ts'
import { type KeySource, keySource } from '../cli/snippet/key-source.ts'
import { type Preview, previewPage, previewQuery } from '../cli/snippet/preview.ts'
import { previewLines } from '../cli/snippet/preview-lines.ts'
import { fetchSnippetFile, renderTag, type SnippetFile } from '../cli/snippet/tag.ts'
import { tagAttributes } from '../cli/snippet/tag-attributes.ts'
import { createClient, type QueryOptions } from '../client/client.ts'
import type { Operator } from '../client/operator.ts'
import type { ListedKey } from '../contract/key.ts'
import { parseKey } from '../contract/key.ts'
import { QUERY_LIMIT } from '../contract/limits.ts'
import type { Project } from '../contract/project.ts'
import type { Environment } from '../contract/review.ts'

const { url: _, ...connectionFlags } = clientFlags
const PLACEHOLDER = 'svc_pk_live_YOUR_PUBLISHABLE_KEY'

interface Answer {
  tag: string
  pinned_tag: string
  integrity: string
  key: { id?: string; key: string; created: boolean } | null
  origins: string[] | null
  pages: object[]
}

export default class Snippet extends BaseCommand {
  static override description = `Prints the tag that shows a page's reviews, ready to paste.

Keys are stored as hashes, so that an existing one cannot be printed: give the project's publishable key with --key (or
PULLQUOTE_KEY), have one made with --new-key, or leave its place open with --no-key. On a terminal you are asked. For each --url the page is fetched, its query derived as the tag would, its origin
checked against the project's allowed origins, and the reviews that would appear are shown.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> --project hotel-aurora --new-key',
    '<%= config.bin %> <%= command.id %> --key svc_pk_live_… --url https://www.example.com/rooms --url https://www.example.com/spa',
    '<%= config.bin %> <%= command.id %> --no-key --query "quiet rooms" --limit 3 --min-rating 5',
    '<%= config.bin %> <%= command.id %> --no-key --pin > tag.html',
  ]
  static override flags = {
    query: Flags.string({ description: 'what the reviews should be about, instead of what the page says' }),
    url: repeatedFlag('page to preview; repeatable', 'PAGE'),
    pin: Flags.boolean({ description: 'name this version of the file, with its integrity', default: false }),
    'new-key': Flags.boolean({
      description: 'make a publishable key, "snippet" in `keys list`',
      default: false,
      exclusive: ['key', 'key-stdin', 'no-key'],
    }),
    'no-key': Flags.boolean({ description: 'leave the place of the key open', default: false, exclusive: ['key'] }),
    limit: Flags.integer({
      description: 'how many reviews',
      min: QUERY_LIMIT.min,
      max: QUERY_LIMIT.max,
      helpValue: '5',
    }),
    mode: Flags.option({ description: 'excerpts, or whole reviews', options: ['excerpts', 'reviews'] as const })(),
    layout: Flags.option({ description: 'cards', options: ['grid', 'list', 'single'] as const })(),
    context: Flags.option({ description: 'how much around the excerpt', options: ['none', 'sentence'] as const })(),
    fallback: Flags.option({ description: 'what to show when nothing fits', options: ['none', 'recent'] as const })(),
    'min-rating': Flags.integer({ description: 'at least so many stars', min: 1, max: 5 }),
    source: sourcesFlag('from this source only'),
    since: Flags.string({ description: 'written on or after this day', helpValue: '2026-01-31' }),
    meta: metadataFlag,
    theme: Flags.option({ description: 'colours', options: ['light', 'dark', 'auto'] as const })(),
    lang: Flags.string({ description: 'language of dates and words; default: the page’s', helpValue: 'TAG' }),
    heading: Flags.string({ description: 'heading above the reviews' }),
    note: Flags.string({
      description: 'line below the reviews; "auto" says which ratings are shown, by the project’s settings',
    }),
    reserve: Flags.string({
      description: 'height to keep free whatever comes; default: about what the cards take',
      helpValue: '420',
    }),
    lazy: Flags.boolean({ description: 'ask when the block comes near the window', default: false }),
    avatars: Flags.boolean({ description: 'show the authors’ pictures', default: false }),
    host: Flags.string({ description: 'address of the server for visitors', helpValue: 'https://reviews.example.com' }),
    // --url is the page here.
    server: Flags.string({
      description: 'address of a server; without it the one on this machine [env: PULLQUOTE_URL]',
      helpGroup: 'CONNECTION',
      helpValue: 'URL',
    }),
    ...connectionFlags,
  }

  protected override readonly fieldLabels = { ...QUERY_FIELD_LABELS, q: '--query' }

  async run(): Promise<Answer> {
    const { flags } = await this.parse(Snippet)
    const options: QueryOptions = {
      limit: flags.limit,
      // As the snippet asks, in any look: each review once, by its best excerpt.
      mode: 'reviews',
      fallback: flags.fallback,
      filters: {
        min_rating: flags['min-rating'],
        source: flags.source,
        since: flags.since,
        metadata: parseMetadata(flags.meta ?? []),
      },
    }
    const host = flags.host === undefined ? undefined : parseHost(flags.host)
    return this.withSession({ ...flags, url: flags.server }, async (session) => {
      const given = session.settings.key
      const isPublishable = given !== undefined && parseKey(given)?.kind === 'publishable'
      if (given !== undefined) {
        const { fetch, baseUrl } = session.connection
        const client = createClient({ fetch, baseUrl, key: given, retry: session.retry })
        await checkKeyScope(given, session.settings, { client, operator: session.operator })
      }
      const source = keySource(isPublishable, flags, this.jsonEnabled())
      const project = session.operator && (await this.projectFor(session, isPublishable))
      const file = await fetchSnippetFile(session.connection.fetch, session.connection.baseUrl)

      const wantsPreview = (flags.url?.length ?? 0) > 0 || flags.query !== undefined
      const previews = wantsPreview
        ? await withClient(session, async ({ client }) => {
            const signal = this.interruptSignal
            const shared = { client, fetch, options, query: flags.query, signal, origins: project?.origins }
            const deps = { ...shared, sendsOrigin: isPublishable }
            const made: Preview[] = []
            for (const page of flags.url ?? []) made.push(await previewPage(page, deps))
            if (made.length === 0) made.push(await previewQuery(flags.query ?? '', deps))
            return made
          })
        : []

      // Last, so that a command that fails leaves no key behind.
      const key = await this.keyFor(session, project, isPublishable ? given : undefined, source)
      const address = (host ?? this.publicAddress(session)).replace(/\/+$/, '')
      const attributes = tagAttributes(key?.key ?? PLACEHOLDER, flags)
      const tag = renderTag(attributes, [['src', `${address}/snippet.js`]])
      const pinned = renderTag(attributes, [
        ['src', `${address}/${file.hashedName}`],
        ['integrity', file.integrity],
        ['crossorigin', 'anonymous'],
      ])
      this.report(previews, project, file)
      this.log(flags.pin ? pinned : tag)
      if (previews.some(({ answer, originAllowed }) => !answer || originAllowed === false)) process.exitCode = 1
      return {
        tag,
        pinned_tag: pinned,
        integrity: file.integrity,
        key,
        origins: project?.origins ?? null,
        pages: previews.map(({ page, query, derived, origin, originAllowed, answer, problem }) => ({
          url: page ?? null,
          query: query ?? null,
          derived,
          origin: origin ?? null,
          origin_allowed: originAllowed ?? null,
          problem: problem ?? null,
          match: answer?.match ?? null,
          results: answer?.results ?? [],
        })),
      }
    })
  }

  /** A key that was given need not be of the project that would be chosen, so none is guessed for it. */
  private async projectFor(session: Session, hasKey: boolean): Promise<Project | undefined> {
    if (!session.operator || (hasKey && session.settings.project === undefined)) {
      const all = (await session.operator?.projects()) ?? []
      return all.length === 1 ? all[0] : undefined
    }
    return chooseProject(session.operator, session.settings.project)
  }

  private async keyFor(
    { operator, settings }: Session,
    project: Project | undefined,
    given: string | undefined,
    source: KeySource,
  ): Promise<Answer['key']> {
    if (given !== undefined) return { key: given, created: false }
    if (source === 'none') return null
    if (!operator || !project) {
      throw usageError(
        'a publishable key is needed, and this connection may not make one',
        'give it with --key, or leave its place open with --no-key',
      )
    }
    const env = settings.env ?? 'live'
    if (source === 'ask' && !(await this.wantsNewKey(operator, project, env))) {
      this.info('The place of the key is left open. Give one with --key, or make one with --new-key.')
      return null
    }
    const { id, key } = await operator.createKey({ project: project.name, kind: 'publishable', env, name: 'snippet' })
    this.info(
      `Made the publishable key "snippet" of ${project.name} (${env}). Next time give it with --key: it is not shown again.`,
    )
    return { id, key, created: true }
  }

  private async wantsNewKey(operator: Operator, project: Project, env: Environment): Promise<boolean> {
    const now = new Date()
    const isIt = (key: ListedKey) => key.kind === 'publishable' && key.env === env && keyState(key, now) === 'active'
    const there = (await operator.keys(project.name)).filter(isIt)
    if (there.length > 0) {
      const ends = there.map(({ hint, name }) => `…${hint}${name === null ? '' : ` (${oneLine(name)})`}`)
      this.writeStderr(
        wrap(`${project.name} has publishable keys already: ${ends.join(', ')}.`, this.stderrTerminal.columns),
      )
      this.writeStderr('To use one of them, answer no and give it with --key.')
    }
    const { confirm } = await import('@inquirer/prompts')
    const message = `Make a new publishable key of ${project.name} (${env})?`
    return prompt((context) => confirm({ message, default: false }, context), this.interruptSignal)
  }

  private publicAddress({ connection }: Session): string {
    const configured = process.env.PULLQUOTE_PUBLIC_URL
    if (connection.kind === 'remote') return connection.baseUrl
    if (configured) return configured
    const address = connection.kind === 'local-server' ? connection.baseUrl : 'http://127.0.0.1:8787'
    this.info(
      `The tag names ${address}, which only this machine reaches. For visitors add: --host https://reviews.example.com`,
    )
    return address
  }

  private report(previews: Preview[], project: Project | undefined, file: SnippetFile): void {
    if (this.jsonEnabled()) return
    for (const preview of previews) this.writeStderr(`${previewLines(preview, project, this.stderrTerminal)}\n`)
    if (project && project.origins.length === 0) {
      this.writeStderr(
        `No origin may use the key yet. Try: ${this.config.bin} projects set ${shellQuote(project.name)} --add-origin URL`,
      )
    }
    this.writeStderr(`Integrity of this version: ${file.integrity} (--pin writes it into the tag)`)
  }
}
