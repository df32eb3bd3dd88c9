import { quoted } from '../quoted.ts'
import type { ImportRow } from './row.ts'
import type { ImportTarget } from './run.ts'

/** How many batches are compared with what is stored: a column that is no longer kept is missing in every row. */
const MOST_BATCHES = 5
/** What the importer takes out of texts and dates. The row of an edited text may have none any more. */
const TAKEN_OUT = new Set(['translation', 'date_of_experience', 'detailed_ratings', 'date_as_written', 'date_given'])
const MOST_NAMED = 5

/** Metadata of stored reviews that no row of their import has any more, and that it therefore takes off them. */
export class LostMetadata {
  readonly #target: Pick<ImportTarget, 'metadataKeys'>
  readonly #stored = new Set<string>()
  readonly #brought = new Set<string>()
  #batches = 0

  constructor(target: Pick<ImportTarget, 'metadataKeys'>) {
    this.#target = target
  }

  /** Compares a batch with what is stored, before it is written. */
  async compare(rows: readonly ImportRow[]): Promise<void> {
    // A row without any leaves what is stored.
    const bringing = rows.filter(({ review }) => Object.keys(review.metadata ?? {}).length > 0)
    for (const { review } of bringing) for (const key in review.metadata) this.#brought.add(key)
    if (bringing.length === 0 || this.#batches++ >= MOST_BATCHES) return
    for (const key of await this.#target.metadataKeys(bringing)) if (!TAKEN_OUT.has(key)) this.#stored.add(key)
  }

  /** The lost keys, sorted. */
  get keys(): string[] {
    return [...this.#stored].filter((key) => !this.#brought.has(key)).sort()
  }
}

/** What is said of lost keys. */
export function describeLostMetadata(keys: readonly string[], isDryRun: boolean): string {
  const named = keys.slice(0, MOST_NAMED).map(quoted).join(', ') + (keys.length > MOST_NAMED ? ', …' : '')
  const takes = isDryRun ? 'would take it off them, and' : 'takes it off them:'
  return `reviews of this import are stored with metadata that no row of it has (${named}). It ${takes} pages that filter by it no longer show them: keep the columns with --metadata, or use the mapping of the earlier import, and import again`
}
