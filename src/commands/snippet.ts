import { Flags } from '@oclif/core'
import { BaseCommand } from '../cli/base-command.ts'
import { clientFlags, QUERY_FIELD_LABELS, repeatedFlag } from '../cli/flags.ts'
import { type PreparedTag, prepareTag, tagRequest } from '../cli/snippet/prepare-tag.ts'
import { previewLines } from '../cli/snippet/preview.ts'
import { attributeFlags } from '../cli/snippet/tag.ts'
import { shellQuote } from '../contract/shell-quote.ts'

const { url: _, ...connectionFlags } = clientFlags

export default class Snippet extends BaseCommand {
  static override description = `Prints the tag that shows a page's reviews, ready to paste.

Only hashes of keys are stored, so an existing key cannot be printed. Give the project's publishable key with --key (or \
PULLQUOTE_KEY), create one with --new-key, or leave a placeholder with --no-key. On a terminal you are asked.

For each --url the page is fetched, its query is derived as the tag would derive it, its origin is checked against the \
project's allowed origins, and the reviews that would appear are shown.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> --project hotel-aurora --new-key',
    '<%= config.bin %> <%= command.id %> --key svc_pk_live_… --url https://www.example.com/rooms --url https://www.example.com/spa',
    '<%= config.bin %> <%= command.id %> --no-key --query "quiet rooms" --limit 3 --min-rating 5',
    '<%= config.bin %> <%= command.id %> --no-key --pin > tag.html',
  ]
  static override flags = {
    ...attributeFlags,
    url: repeatedFlag({ description: 'page to preview; can be repeated', helpValue: 'PAGE' }),
    pin: Flags.boolean({
      description: 'pin the tag to this version of the script, with its integrity hash',
      default: false,
    }),
    'new-key': Flags.boolean({
      description: 'create a publishable key, listed as "snippet" by `keys list`',
      default: false,
      exclusive: ['key', 'key-stdin', 'no-key'],
    }),
    'no-key': Flags.boolean({
      description: 'write a placeholder instead of a key',
      default: false,
      exclusive: ['key'],
    }),
    host: Flags.string({
      description: 'address where visitors reach the server',
      helpValue: 'https://reviews.example.com',
    }),
    // Here --url is the page.
    server: { ...clientFlags.url },
    ...connectionFlags,
  }

  protected override readonly fieldLabels = { ...QUERY_FIELD_LABELS, q: '--query' }

  async run() {
    const { flags } = await this.parse(Snippet)
    const request = tagRequest(flags)
    const context = { json: this.jsonEnabled(), signal: this.interruptSignal, reporter: this }
    const prepared = await this.withSession({ ...flags, url: flags.server }, (session) =>
      prepareTag(session, request, context),
    )
    const { tag, pinnedTag, integrity, key, project, previews } = prepared
    if (!this.jsonEnabled()) this.reportPreviews(prepared)
    this.log(flags.pin ? pinnedTag : tag)
    if (previews.some(({ answer, originAllowed }) => !answer || originAllowed === false)) process.exitCode = 1
    return {
      tag,
      pinned_tag: pinnedTag,
      integrity,
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
  }

  private reportPreviews({ previews, project, integrity }: PreparedTag): void {
    for (const preview of previews) this.writeStderr(`${previewLines(preview, project, this.stderrTerminal)}\n`)
    if (project && project.origins.length === 0) {
      this.info(
        `No origin is allowed to use the key yet. Try: ${this.config.bin} projects set ${shellQuote(project.name)} --add-origin URL`,
      )
    }
    this.info(`Integrity of this version: ${integrity} (--pin writes it into the tag)`)
  }
}
