import type { RawRow, Table } from '../read/table.ts'
import { type AnonymousColumn, anonymousColumns, authorNames } from './author-columns.ts'
import { filledCells } from './column-content.ts'
import { detectFormat, findFormat } from './detect-format.ts'
import { FieldColumns, type Fields } from './field-columns.ts'
import { type ImportFormat, supportsField } from './format.ts'
import { linksWithIds } from './link-ids.ts'
import type { ImportOptions } from './mapping.ts'
import { type MetadataPlan, metadataColumns } from './metadata-columns.ts'
import { missingColumnsError, relativeDateColumns } from './missing-columns.ts'
import { planNotes } from './plan-notes.ts'
import { prosAndCons } from './pros-and-cons.ts'
import { areNpsAnswers, asksForRecommendation, scaleColumn, scaleOfHeader, startsAtZero } from './rating-columns.ts'
import { type RatingWords, ratingWords } from './rating-words.ts'
import { type KindColumn, kindColumns } from './row-kinds.ts'
import {
  isPublicationDate,
  statusColumn,
  type VisibilityColumn,
  type VisibilityColumns,
  visibilityColumns,
} from './visibility-columns.ts'

/** The meaning of each column of a table, decided before its rows are read. */
export interface ColumnPlan {
  format: ImportFormat
  reason: string
  fields: Fields
  metadata: readonly MetadataPlan[]
  /** Headers of columns that are not imported. */
  unused: string[]
  alternatives: FieldColumns['alternatives']
  /** Columns that determine whether a row may be shown: the field `status`. */
  visibility: readonly VisibilityColumn[]
  /** Whether a row's text joins all filled text columns, one paragraph each. */
  joinsTexts: boolean
  /** Columns of pros and cons, which are the text of a row that has no other. */
  halves: readonly number[]
  /** The scale of bare ratings; 5 when undefined. */
  ratingScale: number | undefined
  /** Whether 0 is the worst rating; otherwise it means unrated. */
  isZeroWorst: boolean
  /** Ratings written as words. */
  ratingWords: RatingWords | undefined
  /** The column with the scale of each row. */
  scaleColumn: number | undefined
  /** Columns that distinguish reviews from other kinds of rows. */
  kinds: readonly KindColumn[]
  /** The columns in which reviewers ask not to be named. */
  anonymous: readonly AnonymousColumn[]
  /** Columns named like an author that are not used: earlier versions took some of them for it. */
  formerAuthors: readonly number[]
  /** The column of the day of publication in a file of which drafts have another day. */
  publishedOn: number | undefined
  /** Whether the ids are parts of the links. */
  hasIdsInLinks: boolean
  /** Notes for the user about how the columns were interpreted. */
  notes: readonly string[]
}

/**
 * Decides the meaning of every column: the user's mapping first, then the format's columns, then aliases whose cells
 * are plausible.
 *
 * @param sample the first rows of the table
 * @throws ImporterError `unknown_profile`, `unknown_column`, `no_headings`, or `mapping_needed` when text or date is
 * not found
 */
export function planColumns(table: Table, sample: readonly RawRow[], options: ImportOptions): ColumnPlan {
  const { headers } = table
  const detected = detectFormat(table, sample, options.profile)
  const found = new FieldColumns(table, sample)
  const { fields, alternatives, used } = found
  found.takeMapped(options.map)
  found.takeFromFormat(detected.format)
  found.takeByAlias(detected.format)
  const halves = detected.format.isOwnExport ? undefined : prosAndCons(headers, sample, used)
  const joinsHalves = halves !== undefined && fields.text === undefined
  if (joinsHalves) found.take('text', halves)
  if (!supportsField(detected.format, 'source') && options.map?.source === undefined) delete fields.source
  const { as_of: asOf, date: givenDate } = options
  const ago =
    fields.date === undefined && (asOf ?? givenDate) !== undefined ? relativeDateColumns(headers, sample, used) : []
  if (asOf !== undefined && ago.length === 1) found.take('date', ago)
  const missing = (['text', 'date'] as const).filter(
    (field) => (fields[field] ?? []).length === 0 && (field === 'text' || givenDate === undefined),
  )
  if (missing.length > 0) throw missingColumnsError(table, sample, used, missing, options)

  const linked = detected.format.isOwnExport ? undefined : linksWithIds(fields, sample)
  if (linked !== undefined) fields.id = [linked]
  const { taken: visibility, unrecognized } = visibilityOf(table, sample, detected.format, found, options)
  const { format, reason } = options.profile === undefined ? withPlatforms(detected, headers, fields) : detected
  const rated = fields.rating?.[0] ?? -1
  const isNps =
    rated !== -1 &&
    options.rating_scale !== 5 &&
    !format.isOwnExport &&
    format.ratingScale === undefined &&
    areNpsAnswers(headers, sample, rated)
  const words = rated === -1 || format.isOwnExport || format.ratings ? undefined : ratingWords(headers, sample, rated)
  const set = options.set_metadata ?? {}
  const metadata = metadataColumns(table, format, fields, options.metadata).filter(
    ({ key }) => !Object.hasOwn(set, key),
  )
  const kinds = kindColumns(headers, sample, format)
  const kept = new Set([...Object.values(fields).flat(), ...metadata.map(({ index }) => index)])
  const unused = headers.filter((_, index) => !kept.has(index))
  return {
    format,
    reason,
    fields,
    metadata,
    unused,
    alternatives,
    visibility,
    joinsTexts: format.joinsTexts === true || joinsHalves,
    halves: (detected.format.name === 'generic' && options.map?.text === undefined && halves) || [],
    ratingScale: options.rating_scale ?? format.ratingScale ?? namedScale(headers[rated]) ?? (isNps ? 10 : undefined),
    isZeroWorst:
      isNps ||
      startsAtZero(headers[rated] ?? '') ||
      (options.rating_scale === 10 && asksForRecommendation(headers[rated] ?? '')),
    ratingWords: words,
    scaleColumn: scaleColumn(headers, sample),
    kinds,
    anonymous: anonymousColumns(headers, sample),
    formerAuthors: authorNames(headers).filter((index) => !kept.has(index)),
    publishedOn: publicationDay(fields, headers),
    hasIdsInLinks: linked !== undefined,
    notes: planNotes({
      table,
      sample,
      fields,
      byWords: found.byWords,
      unused,
      keptUnnamed: options.metadata === 'all' ? metadata : [],
      unrecognized: unrecognized.filter(
        (index) =>
          !kinds.some(
            (kind) => kind.index === index && filledCells(sample, index).some((cell) => kind.isOther(cell, [])),
          ),
      ),
      stages: visibility.flatMap(({ index, isGuessed }) => (isGuessed ? [index] : [])),
      format: detected.format,
      givenDate,
      ago: ago[0],
      linked: headers[linked ?? -1],
      isDraftDated: publicationDay(fields, headers) !== undefined,
      words,
      answers: isNps ? headers[rated] : undefined,
      isMapped: options.map?.text !== undefined,
    }),
  }
}

/** Upgrades the generic format to multi-source when a column names the platform of each row. */
function withPlatforms(detected: ReturnType<typeof detectFormat>, headers: readonly string[], fields: Fields) {
  if (detected.format.name !== 'generic' || !fields.source) return detected
  const reason = `the column "${headers[fields.source[0] ?? 0]}" names the platform of each row`
  return { format: findFormat('multi-source'), reason }
}

/** The visibility columns: those of the user or the format, and all that can mean nothing else. */
function visibilityOf(
  { headers }: Table,
  sample: readonly RawRow[],
  format: ImportFormat,
  { fields, used }: FieldColumns,
  { map }: ImportOptions,
): VisibilityColumns {
  const named = (fields.status ?? []).map((index) => statusColumn(headers[index] ?? '', index, format))
  if (map?.status !== undefined || format.isOwnExport) return { taken: named, unrecognized: [] }
  const isCertain = named.length > 0 || !supportsField(format, 'status')
  const text = headers[fields.text?.[0] ?? -1]
  const published = publicationDay(fields, headers)
  const isFree = (index: number) => !used.has(index) || index === published
  const byName = visibilityColumns(headers, sample, isFree, isCertain, text)
  const taken = [...named, ...byName.taken]
  if (taken.length > 0) fields.status = taken.map(({ index }) => index)
  const isSaid = taken.some(({ index }) => index !== published)
  return { taken, unrecognized: isSaid ? [] : byName.unrecognized }
}

/** The column of the day of publication, if another has the day of what is not published. */
function publicationDay({ date: [first, ...others] = [] }: Fields, headers: readonly string[]): number | undefined {
  return others.length > 0 && isPublicationDate(headers[first ?? -1] ?? '') ? first : undefined
}

function namedScale(header: string | undefined): number | undefined {
  const scale = scaleOfHeader(header ?? '')
  return typeof scale === 'number' && scale > 5 ? scale : undefined
}
