import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../cli/base-command.ts'
import type { ConnectionFlags } from '../cli/connection/settings.ts'
import { usageError } from '../cli/errors/cli-error.ts'
import { clientFlags, QUERY_FIELD_LABELS, queryFlags, queryOptions } from '../cli/flags.ts'
import { wrap } from '../cli/output/wrap.ts'
import { explanationText } from '../cli/query/explanation.ts'
import { explainNoResults } from '../cli/query/no-results.ts'
import { queryHeading, queryResults } from '../cli/query/results.ts'
import { resolveReviewId } from '../cli/reviews/find-reviews.ts'
import type { Client, QueryOptions } from '../client/client.ts'
import type { Explanation } from '../contract/explain.ts'
import { parseKey } from '../contract/key.ts'
import { QUERY_LIMIT } from '../contract/limits.ts'
import type { QueryResponse } from '../contract/query.ts'

/** How long to wait for further information after the answer was printed. */
const DIAGNOSIS_MS = 3_000

const INDEXING_LINES = {
  server: 'Some reviews are still being indexed and cannot be found yet: try again in a moment.',
  // This process ends now; the rest is left to the next one.
  here: 'Some reviews are not indexed yet and cannot be found: pullquote serve indexes them all.',
}

export default class Query extends BaseCommand {
  static override description = `Finds the review excerpts that fit a text; without a text, the newest reviews.

Each result shows the excerpt within its review, and how close it is to the text (score).`
  static override examples = [
    '<%= config.bin %> <%= command.id %> "quiet room with a view"',
    '<%= config.bin %> <%= command.id %> breakfast --limit 3 --min-rating 5 --source google --source yelp',
    '<%= config.bin %> <%= command.id %> "sea bass" --meta dish=sea-bass --fallback recent',
    '<%= config.bin %> <%= command.id %> "sea bass" --explain --review 3f0c9a4e-8f55-4d0b-9a54-0f6f5b1f7f10',
    '<%= config.bin %> <%= command.id %> parking --json | jq -r ".results[].excerpt"',
  ]
  static override args = { text: Args.string({ ignoreStdin: true, description: 'what the reviews should be about' }) }
  static override flags = {
    limit: Flags.integer({ description: 'how many results', ...QUERY_LIMIT, helpValue: '5' }),
    include: Flags.option({ description: 'add the full text of each review', options: ['text'] as const })(),
    ...queryFlags('only reviews written on or after this day or time'),
    'no-cache': Flags.boolean({ description: 'compute the result even if it is cached', default: false }),
    explain: Flags.boolean({ description: 'show why each result appears: cosine, words, floor, ranks' }),
    review: Flags.string({
      description: 'with --explain: why this review does or does not appear; its id, or the first characters of it',
      dependsOn: ['explain'],
      helpValue: 'ID',
    }),
    origin: Flags.string({ description: 'origin of a web page, to send with a publishable key', helpValue: 'URL' }),
    ...clientFlags,
  }

  protected override readonly fieldLabels = QUERY_FIELD_LABELS

  async run(): Promise<QueryResponse | Explanation> {
    const { args, flags } = await this.parse(Query)
    const include = flags.include === undefined ? undefined : [flags.include]
    const options: QueryOptions = { q: args.text, include, ...queryOptions(flags) }
    if (flags.explain && flags.origin !== undefined) throw usageError('--origin cannot be used with --explain')
    if (flags.explain) return this.explain(args.text, options, flags)
    // On the terminal the excerpt is shown within its review, which needs the text.
    if (!this.jsonEnabled()) options.include = ['text']
    const extras = { noCache: flags['no-cache'], origin: flags.origin, signal: this.interruptSignal }
    const { limit = QUERY_LIMIT.default } = flags
    return this.withClient(flags, async ({ client, project, connection, settings }) => {
      // With a secret key the server ignores the origin, so it would seem to be allowed.
      if (flags.origin !== undefined && parseKey(settings.key ?? '')?.kind !== 'publishable')
        throw usageError('--origin can only be used with a publishable key', 'give the key of the page with --key')
      const answer = await client.query(options, extras)
      const whole = flags.mode === 'reviews' || flags.include === 'text'
      const view = { answer, q: args.text, now: new Date(), whole, limit, floor: project?.similarity_floor }
      // Not with `info`, which strips control sequences and with them the colours.
      if (!this.jsonEnabled())
        this.writeStderr(wrap(queryHeading(view, this.stderrTerminal), this.stderrTerminal.columns))
      if (answer.results.length > 0) {
        if (this.terminal.interactive) this.info('')
        this.log(queryResults(view, this.terminal))
      }
      const isDiagnosed = args.text !== undefined && !this.jsonEnabled()
      const found = isDiagnosed ? await this.diagnose(answer, client, options) : { why: [], isIndexing: false }
      for (const line of found.why) this.info(line)
      if (answer.match === 'none' && flags.fallback !== 'recent')
        this.info('Try other words, or use --fallback recent to get the newest reviews.')
      if (found.isIndexing) this.info(INDEXING_LINES[connection.kind === 'in-process' ? 'here' : 'server'])
      return answer
    })
  }

  /**
   * Why an answer is empty, and whether reviews are still being indexed. Failures are ignored: a publishable key may not
   * ask, and an older server may not know.
   */
  private async diagnose(answer: QueryResponse, client: Client, options: QueryOptions) {
    const interrupt = this.interruptSignal
    const signal = AbortSignal.any([interrupt, AbortSignal.timeout(DIAGNOSIS_MS)])
    const or =
      <T>(otherwise: T) =>
      (error: unknown): T => {
        if (interrupt.aborted) throw error
        return otherwise
      }
    const [why, isIndexing] = await Promise.all([
      answer.match === 'none' ? explainNoResults(client, options, signal).catch(or<string[]>([])) : [],
      client.list({ indexed: 'false', limit: 1 }, signal, 1).then(({ reviews }) => reviews.length > 0, or(false)),
    ])
    return { why, isIndexing }
  }

  private async explain(
    text: string | undefined,
    options: QueryOptions,
    flags: ConnectionFlags & { review?: string | undefined },
  ): Promise<Explanation> {
    if (text === undefined) throw usageError('--explain needs a text', 'without a text nothing is ranked')
    const { review } = flags
    const signal = this.interruptSignal
    const { explanation, asked } = await this.withClient(flags, async ({ client }) => {
      const id = review === undefined ? undefined : await resolveReviewId(client, review, signal)
      const asked = id === undefined || this.jsonEnabled() ? undefined : await client.show(id, signal)
      return { explanation: await client.explain({ ...options, review: id }, signal), asked }
    })
    this.log(explanationText(explanation, this.terminal, asked))
    return explanation
  }
}
