import { ImporterError } from '../importer-error.ts'
import { normaliseHeader } from '../read/headers.ts'
import type { Table } from '../read/table.ts'
import type { ImportFormat } from './format.ts'
import { PLATFORM_FORMATS } from './platform-formats.ts'
import { SHOP_FORMATS } from './shop-formats.ts'

/** Ordered: of two formats that fit equally well, the first is taken. */
export const IMPORT_FORMATS: readonly ImportFormat[] = [
  {
    // Our own export: everything is where it says, byte for byte.
    name: 'pullquote',
    label: 'Pullquote export',
    source: 'custom',
    needs: ['external_id', 'source', 'text', 'author_name', 'occurred_at'],
    hints: ['rating', 'author_avatar_url', 'url', 'language', 'hidden'],
    columns: {
      id: ['external_id'],
      source: ['source'],
      text: ['text'],
      author: ['author_name'],
      date: ['occurred_at'],
      rating: ['rating'],
      avatar: ['author_avatar_url'],
      url: ['url'],
      language: ['language'],
      status: ['hidden'],
    },
    statuses: { true: 'hidden', false: 'shown' },
    without: ['title', 'translation'],
  },
  ...PLATFORM_FORMATS,
  ...SHOP_FORMATS,
  {
    // No official CSV exists; this is the header that most exporters write.
    name: 'google-csv',
    label: 'Google Business Profile CSV',
    source: 'google',
    needs: ['Review Date|Review Time|Created', 'Reviewer Name|Reviewer', 'Star Rating', 'Comment|Review Comment'],
    hints: ['Location', 'Business Name', 'Reply', 'Review Reply', 'Review ID', 'Store Code'],
    unless: ['Source', 'Review Source', 'Site', 'Site Name', 'Platform', 'Publisher', 'Social Media Source'],
    fileTypes: ['csv'],
    columns: {
      text: ['Comment', 'Review Comment'],
      date: ['Review Date', 'Review Time', 'Created'],
      rating: ['Star Rating'],
      author: ['Reviewer Name', 'Reviewer'],
      id: ['Review ID', 'Review Name'],
    },
  },
  {
    // Undocumented; "Business" beside the reviewer is what sets it apart from other CSV.
    name: 'yelp-csv',
    label: 'Yelp CSV',
    source: 'yelp',
    needs: ['Review ID', 'Business', 'Rating', 'Date', 'Review', 'Reviewer'],
    hints: [],
    fileTypes: ['csv'],
    columns: {
      text: ['Review'],
      date: ['Date'],
      rating: ['Rating'],
      author: ['Reviewer'],
      id: ['Review ID'],
    },
    metadata: { Business: 'business' },
  },
  {
    // Fits by meaning rather than by name: a text, a date, and a column that names the platform of each row.
    name: 'multi-source',
    label: 'Multi-source export',
    source: 'custom',
    needs: [],
    columns: {},
  },
  {
    name: 'generic',
    label: 'CSV or JSON with review columns',
    source: 'custom',
    needs: [],
    columns: {},
    without: ['source'],
  },
]

export interface Detection {
  format: ImportFormat
  /** In words, for `--explain`. */
  reasons: string[]
}

/**
 * The format of a table by its headers and shape; the generic one when no vendor's fits.
 *
 * @param chosen the name of a format that the user gave, which wins
 * @throws ImporterError `unknown_profile`
 */
export function detectFormat(table: Table, chosen: string | undefined): Detection {
  if (chosen !== undefined) return { format: formatNamed(chosen), reasons: ['chosen with --format'] }
  const present = new Set(table.headers.map(normaliseHeader))
  let best: { format: ImportFormat; found: string[]; needed: string[] } | undefined
  for (const format of IMPORT_FORMATS) {
    if (format.needs.length === 0 || (format.fileTypes && !format.fileTypes.includes(table.fileType))) continue
    if (format.unless?.some((header) => present.has(normaliseHeader(header)))) continue
    const needed = format.needs.map((need) => need.split('|').find((name) => present.has(normaliseHeader(name))))
    if (needed.includes(undefined)) continue
    const names = [...needed.filter((name) => name !== undefined)]
    const found = [...names, ...(format.hints ?? []).filter((hint) => present.has(normaliseHeader(hint)))]
    if (!best || found.length > best.found.length) best = { format, found: [...new Set(found)], needed: names }
  }
  if (best) {
    const shape = { csv: 'a CSV file', json: 'a JSON list', jsonl: 'JSON lines', geojson: 'GeoJSON features' }[
      table.fileType
    ]
    return {
      format: best.format,
      reasons: [`${shape} with the columns ${best.found.join(', ')}, as ${best.format.label} has them`],
    }
  }
  return {
    format: formatNamed('generic'),
    reasons: ['no vendor’s export has these columns: they are matched by their names'],
  }
}

/** @throws ImporterError `unknown_profile` */
export function formatNamed(name: string): ImportFormat {
  const format = IMPORT_FORMATS.find((candidate) => candidate.name === name.trim().toLowerCase())
  if (format) return format
  const names = IMPORT_FORMATS.map((candidate) => candidate.name)
  throw new ImporterError('unknown_profile', `There is no profile "${name}". There are: ${names.join(', ')}.`)
}
