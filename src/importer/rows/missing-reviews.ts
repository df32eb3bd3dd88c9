import { utcDay } from '../fields/date.ts'
import type { ImportOptions } from '../formats/mapping.ts'
import { hasUnreadFiles } from '../read/review-files.ts'
import { NOT_CORRECTABLE } from '../skip-reasons.ts'
import type { EarlierImports, EarlierText } from './earlier-imports.ts'
import type { ImportTarget, NotedRows } from './run.ts'
import type { BatchedImport } from './summary.ts'

/** Reviews from earlier imports of the same export that the current one lacks. */
export interface MissingReviews {
  /** Newest first. */
  ids: string[]
  /** The number of stored reviews compared. */
  among: number
  /** `part`: more than a third is missing, the files seem incomplete; `other`: more than half, another export. */
  likeness: 'same' | 'part' | 'other'
}

/** Reviews missing from this import, and what was done about them. */
export interface MissingResult extends MissingReviews {
  /** The first ones, for a report. */
  first: EarlierText[]
  /** `other`, `part` and `unread`: hiding was requested and refused for these; `selection`: refused altogether. */
  outcome: 'told' | 'hidden' | 'other' | 'part' | 'unread' | 'selection'
}

const NAMED = 100

/** Reports or hides missing reviews. Called after the last row, so that an interrupted import hides nothing. */
export async function handleMissing(
  source: BatchedImport,
  target: ImportTarget,
  earlier: EarlierImports,
  { missing: choice = 'list', dryRun }: { missing?: ImportOptions['missing']; dryRun?: boolean },
): Promise<MissingResult | undefined> {
  const missing = earlier.missing()
  if (choice !== 'list' && earlier.isSelection() && !missing?.ids.length)
    return { ids: [], among: 0, likeness: 'same', first: [], outcome: 'selection' }
  if (!missing || missing.ids.length === 0) return undefined
  // An export that shares only a few reviews with another tells nothing about the rest.
  if (missing.likeness === 'other' && choice === 'list') return undefined
  const outcome = outcomeOf(choice, missing, source)
  const first = await target.textsOf(missing.ids.slice(0, NAMED))
  if (outcome === 'hidden' && dryRun !== true) await target.hide(missing.ids)
  return { ...missing, first, outcome }
}

function outcomeOf(
  choice: NonNullable<ImportOptions['missing']>,
  { likeness }: MissingReviews,
  { reasons, passedOver }: BatchedImport,
): MissingResult['outcome'] {
  if (choice === 'list') return 'told'
  if (likeness === 'other') return 'other'
  if (choice === 'hide-many') return 'hidden'
  if (likeness !== 'same') return 'part'
  // Unreadable rows may be missing reviews; rows that lost their text are not.
  const isUnread = Object.keys(reasons).some((reason) => reason !== 'no_text' && !NOT_CORRECTABLE.has(reason))
  return isUnread || hasUnreadFiles({ passedOver }) ? 'unread' : 'hidden'
}

/** The outcome as a sentence. */
export function describeMissing({ ids, among, outcome }: MissingResult, dryRun: boolean): string {
  const isOne = ids.length === 1
  const found = `${ids.length} of ${among} stored reviews from earlier imports of the same export ${isOne ? 'is' : 'are'} no longer in it`
  const kept = dryRun ? 'nothing would be hidden' : 'nothing was hidden'
  const override = '; --missing hide-many hides them anyway'
  switch (outcome) {
    case 'told':
      return `${found} but ${isOne ? 'is' : 'are'} still shown: --missing hide hides what the vendor has removed`
    case 'hidden':
      return `${found} and ${dryRun ? 'would be' : isOne ? 'was' : 'were'} hidden until an import has ${isOne ? 'it' : 'them'} again`
    case 'other':
      return `${found}: that is more than half, so this seems to be a different export or a small part of it, and ${kept}`
    case 'part':
      return `${found}: that is more than a third, so this seems to be only a part of it, and ${kept}${override}`
    case 'selection':
      return `reviews of earlier imports were not compared, and ${kept}: the number of rows is round and they are in no order of time, as in a selection of the "most relevant" ones, or they have days that were counted back or given, or they are the skipped rows of an earlier import`
    case 'unread':
      return `${found} but may be among the rows or files that could not be read, so ${kept}: correct those first${override}`
  }
}

/** What is said of stored reviews of products that the file does not have: sold no more, or in another file. */
export function describeOtherProducts(count: number): string {
  const [are, they] = count === 1 ? ['1 stored review', 'it is'] : [`${count} stored reviews`, 'they are']
  return `${are} from earlier imports of the same export ${count === 1 ? 'is' : 'are'} of products that are not in it any more, so ${they} not compared, and still shown: hide what is no longer sold`
}

/** What is said of stored reviews that are later than the file's last row. */
export function describeLater({ count, than }: NonNullable<EarlierImports['later']>, dryRun: boolean): string {
  const newer = count === 1 ? '1 stored review' : `${count} stored reviews`
  const [is, those] = count === 1 ? ['is', 'that one'] : ['are', 'those']
  return `${newer} from earlier imports of the same export ${is} later than its last row (${utcDay(than)}): an older export ${dryRun ? 'would bring' : 'brings'} back older texts and removed reviews, so import the newest again after it; if this is the newest, the vendor has removed ${those}`
}

/** What is said of reviews that our own export has as hidden, and that are shown where it is imported. */
export function describeStillShown(rows: NotedRows, placesOf: (rows: NotedRows) => string): string {
  const [are, stay] = rows.count === 1 ? ['1 row is', 'it stays'] : [`${rows.count} rows are`, 'they stay']
  return `${are} hidden in the file but shown here ${placesOf(rows)}: ${stay} so, since our own export hides only reviews that are new; hide here too what should not appear`
}
