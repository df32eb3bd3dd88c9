import type { ImportFormat } from './format.ts'
import { MARKETPLACE_FORMATS } from './marketplace-formats.ts'
import { OWN_REVIEW_FORMATS } from './own-review-formats.ts'
import { PLATFORM_FORMATS } from './platform-formats.ts'
import { REVIEW_APP_FORMATS } from './review-app-formats.ts'
import { SHOP_SYSTEM_FORMATS } from './shop-system-formats.ts'

/** Of two formats that match equally well, the first wins. */
export const IMPORT_FORMATS: readonly ImportFormat[] = [
  {
    name: 'pullquote',
    label: 'Pullquote export',
    source: 'custom',
    needs: 'external_id, source, text, author_name, occurred_at',
    hints: 'rating, author_avatar_url, url, language, hidden',
    columns: {
      id: 'external_id',
      source: 'source',
      text: 'text',
      author: 'author_name',
      date: 'occurred_at',
      rating: 'rating',
      avatar: 'author_avatar_url',
      url: 'url',
      language: 'language',
      status: 'hidden',
      hidden_words: 'hidden_words',
    },
    statuses: { true: 'hidden', false: 'shown' },
    isOwnExport: true,
  },
  ...PLATFORM_FORMATS,
  ...MARKETPLACE_FORMATS,
  ...OWN_REVIEW_FORMATS,
  ...REVIEW_APP_FORMATS,
  ...SHOP_SYSTEM_FORMATS,
  {
    // There is no official CSV; most exporters write this header.
    name: 'google-csv',
    label: 'Google Business Profile CSV',
    source: 'google',
    needs: 'Review Date|Review Time|Created, Reviewer Name|Reviewer, Star Rating, Comment|Review Comment',
    hints: 'Location, Business Name, Reply, Review Reply, Review ID, Store Code',
    unless: 'Source, Review Source, Site, Site Name, Platform, Publisher, Social Media Source',
    fileTypes: ['csv', 'xlsx'],
    columns: {
      text: 'Comment | Review Comment',
      date: 'Review Date | Review Time | Created',
      rating: 'Star Rating',
      author: 'Reviewer Name | Reviewer',
      id: 'Review ID | Review Name',
    },
    alsoByAlias: ['source', 'title', 'avatar', 'url', 'language', 'status'],
  },
  {
    // Undocumented; distinguished from other CSV by "Business" beside the reviewer.
    name: 'yelp-csv',
    label: 'Yelp CSV',
    source: 'yelp',
    needs: 'Review ID, Business, Rating, Date, Review, Reviewer',
    fileTypes: ['csv', 'xlsx'],
    columns: {
      text: 'Review',
      date: 'Date',
      rating: 'Rating',
      author: 'Reviewer',
      id: 'Review ID',
    },
    metadata: { Business: 'business' },
    alsoByAlias: ['source', 'title', 'avatar', 'url', 'language', 'status'],
  },
  {
    // Matched by meaning, not by name: a text, a date, and a column that names the platform of each row.
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
