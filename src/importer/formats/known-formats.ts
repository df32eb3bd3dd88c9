import { ImporterError } from '../importer-error.ts'
import { normalizeHeader } from '../read/headers.ts'
import type { Table } from '../read/table.ts'
import type { ImportFormat } from './format.ts'
import { PLATFORM_FORMATS } from './platform-formats.ts'
import { SHOP_FORMATS } from './shop-formats.ts'
import { STORE_FORMATS } from './store-formats.ts'

/** Ordered: of two formats that fit equally well, the first is taken. */
export const IMPORT_FORMATS: readonly ImportFormat[] = [
  {
    name: 'pullquote',
    label: 'Pullquote export',
    source: 'custom',
    needs: 'external_id, source, text, author_name, occurred_at',
    hints: 'rating, author_avatar_url, url, language, hidden',
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
    isOwnExport: true,
  },
  ...PLATFORM_FORMATS,
  ...SHOP_FORMATS,
  ...STORE_FORMATS,
  {
    // No official CSV exists; this is the header that most exporters write.
    name: 'google-csv',
    label: 'Google Business Profile CSV',
    source: 'google',
    needs: 'Review Date|Review Time|Created, Reviewer Name|Reviewer, Star Rating, Comment|Review Comment',
    hints: 'Location, Business Name, Reply, Review Reply, Review ID, Store Code',
    unless: ['Source', 'Review Source', 'Site', 'Site Name', 'Platform', 'Publisher', 'Social Media Source'],
    fileTypes: ['csv'],
    columns: {
      text: ['Comment', 'Review Comment'],
      date: ['Review Date', 'Review Time', 'Created'],
      rating: ['Star Rating'],
      author: ['Reviewer Name', 'Reviewer'],
      id: ['Review ID', 'Review Name'],
    },
    alsoByAlias: ['source', 'title', 'avatar', 'url', 'language', 'status'],
  },
  {
    // Undocumented; "Business" beside the reviewer is what sets it apart from other CSV.
    name: 'yelp-csv',
    label: 'Yelp CSV',
    source: 'yelp',
    needs: 'Review ID, Business, Rating, Date, Review, Reviewer',
    fileTypes: ['csv'],
    columns: {
      text: ['Review'],
      date: ['Date'],
      rating: ['Rating'],
      author: ['Reviewer'],
      id: ['Review ID'],
    },
    metadata: { Business: 'business' },
    alsoByAlias: ['source', 'title', 'avatar', 'url', 'language', 'status'],
  },
  {
    // Fits by meaning rather than by name: a text, a date, and a column that names the platform of each row.
    name: 'multi-source',
    label: 'Multi-source export',
    source: 'custom',
    needs: '',
    columns: {},
    alsoByAlias: 'all',
  },
  {
    name: 'generic',
    label: 'CSV or JSON with review columns',
    source: 'custom',
    needs: '',
    columns: {},
    alsoByAlias: 'all',
  },
]

const SHAPES = { csv: 'a CSV file', json: 'a JSON list', jsonl: 'JSON lines', geojson: 'GeoJSON features' }

/**
 * The format of a table by its headers and shape; the generic one when no vendor's fits.
 *
 * @param chosen the name of a format that the user gave, which wins
 * @returns the format, and in words, for `--explain`, why it is that one
 * @throws ImporterError `unknown_profile`
 */
export function detectFormat(table: Table, chosen: string | undefined): { format: ImportFormat; reason: string } {
  if (chosen !== undefined) return { format: formatNamed(chosen), reason: 'chosen with --format' }
  const present = new Set(table.headers.map(normalizeHeader))
  const isThere = (header: string) => present.has(normalizeHeader(header))
  let best: { format: ImportFormat; found: Set<string> } | undefined
  for (const format of IMPORT_FORMATS) {
    if (format.needs === '' || (format.fileTypes && !format.fileTypes.includes(table.fileType))) continue
    if (format.unless?.some(isThere)) continue
    const needed = format.needs.split(', ').map((need) => need.split('|').find(isThere))
    if (needed.includes(undefined)) continue
    const names = needed.filter((name) => name !== undefined)
    const found = new Set([...names, ...(format.hints?.split(', ').filter(isThere) ?? [])])
    if (!best || found.size > best.found.size) best = { format, found }
  }
  if (!best) {
    const reason = 'no vendor’s export has these columns: they are matched by their names'
    return { format: formatNamed('generic'), reason }
  }
  const { format, found } = best
  const columns = [...found].join(', ')
  return { format, reason: `${SHAPES[table.fileType]} with the columns ${columns}, as ${format.label} has them` }
}

/** @throws ImporterError `unknown_profile` */
export function formatNamed(name: string): ImportFormat {
  const format = IMPORT_FORMATS.find((candidate) => candidate.name === name.trim().toLowerCase())
  if (format) return format
  const names = IMPORT_FORMATS.map((candidate) => candidate.name)
  throw new ImporterError('unknown_profile', `There is no format "${name}". There are: ${names.join(', ')}.`)
}
