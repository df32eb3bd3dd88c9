import type { Source } from '../contract/review.ts'
import type { Field } from './mapping.ts'
import type { Visibility } from './status.ts'
import type { TableFormat } from './table.ts'

/** What is known about one vendor's export. Header names are compared by their letters and digits only. */
export interface Profile {
  name: string
  label: string
  source: Source
  /** All of these headers must be there; `a|b` means either. */
  needs: readonly string[]
  /** Further headers of the format: the more are there, the surer. */
  hints?: readonly string[]
  /** With one of these headers it is another format. */
  unless?: readonly string[]
  formats?: readonly TableFormat[]
  /** Columns by field. Of several, each row takes the first that is filled. */
  columns: Partial<Record<Field, readonly string[]>>
  /** Columns kept as metadata unless the user chooses, with their keys. */
  metadata?: Readonly<Record<string, string>>
  /** Fields for which the general aliases must not be tried: the format is known not to have them. */
  without?: readonly Field[]
  /** What a status means where it is not what the word says in general. */
  statuses?: Readonly<Record<string, Visibility>>
  /** Ratings written as words. */
  ratings?: Readonly<Record<string, string>>
  /** Slash dates have their day first, when this is so. */
  dayFirst?: (table: { delimiter?: string }) => boolean
  /** Why this file is not imported unless forced. */
  refuse?: string
}

const RECOMMENDATION = { positive: '5', negative: '1', true: '5', false: '1' } as const

/** Ordered: of two profiles that fit equally well, the first is taken. */
export const PROFILES: readonly Profile[] = [
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
  {
    // Takeout names stars in words and has the vendor's id under "name"; half of it is stars without text.
    name: 'google-takeout',
    label: 'Google Takeout (Business Profile)',
    source: 'google',
    needs: ['starRating', 'createTime', 'reviewer.displayName|reviewer|name|reviewId'],
    hints: ['comment', 'updateTime', 'reviewReply.comment', 'name', 'reviewer.displayName', 'reviewer.profilePhotoUrl'],
    columns: {
      text: ['comment'],
      date: ['createTime', 'updateTime'],
      rating: ['starRating'],
      author: ['reviewer.displayName', 'reviewer'],
      avatar: ['reviewer.profilePhotoUrl'],
      id: ['name', 'reviewId'],
    },
    without: ['title', 'url', 'status', 'language', 'source'],
  },
  {
    // The account's owner wrote these about other places: testimonials of nobody's customers.
    name: 'google-maps-own',
    label: 'Google Maps "your reviews" (Takeout)',
    source: 'google',
    needs: [
      'review_text_published|Review Comment',
      'five_star_rating_published|Star Rating',
      'google_maps_url|Google Maps URL',
    ],
    hints: ['location.name', 'location.address', 'date', 'Published'],
    columns: {
      text: ['review_text_published', 'Review Comment'],
      date: ['date', 'Published'],
      rating: ['five_star_rating_published', 'Star Rating'],
      url: ['google_maps_url', 'Google Maps URL'],
    },
    metadata: { 'location.name': 'place_name', 'Location.Business Name': 'place_name' },
    without: ['author', 'title', 'id', 'status', 'source', 'avatar'],
    refuse:
      'These are reviews that the owner of the Google account wrote about other places, not reviews that customers wrote. ' +
      'In Google Takeout choose "Google Business Profile" instead of "Maps (your places)".',
  },
  {
    // "title" is the place, "name" the author.
    name: 'apify',
    label: 'Apify Google Maps reviews',
    source: 'google',
    needs: ['text', 'publishedAtDate', 'stars', 'name'],
    hints: [
      'reviewId',
      'reviewUrl',
      'reviewerPhotoUrl',
      'textTranslated',
      'originalLanguage',
      'title',
      'placeId',
      'likesCount',
    ],
    columns: {
      text: ['text'],
      translation: ['textTranslated'],
      date: ['publishedAtDate'],
      rating: ['stars'],
      author: ['name'],
      avatar: ['reviewerPhotoUrl'],
      url: ['reviewUrl'],
      id: ['reviewId'],
      language: ['originalLanguage'],
    },
    metadata: { title: 'place_name', placeId: 'place_id' },
    without: ['title', 'status', 'source'],
  },
  {
    // "name" is the place and "rating" its average: author_title and review_rating are the review's.
    name: 'outscraper',
    label: 'Outscraper Google reviews',
    source: 'google',
    needs: ['author_title', 'review_text', 'review_rating'],
    hints: ['review_id', 'review_link', 'author_image', 'review_datetime_utc', 'review_timestamp', 'owner_answer'],
    columns: {
      text: ['review_text'],
      date: ['review_datetime_utc', 'review_timestamp'],
      rating: ['review_rating'],
      author: ['author_title'],
      avatar: ['author_image'],
      url: ['review_link'],
      id: ['review_id'],
    },
    metadata: { name: 'place_name', place_id: 'place_id' },
    without: ['title', 'status', 'source', 'language'],
  },
  {
    // No author's name, and stars as floats, one object a line.
    name: 'yelp-dataset',
    label: 'Yelp open dataset',
    source: 'yelp',
    needs: ['review_id', 'business_id', 'stars', 'text', 'date'],
    hints: ['user_id', 'useful', 'funny', 'cool'],
    columns: { text: ['text'], date: ['date'], rating: ['stars'], id: ['review_id'] },
    metadata: { business_id: 'business_id' },
    without: ['author', 'title', 'status', 'source', 'avatar', 'url'],
  },
  {
    // Half stars, and times without a zone.
    name: 'yelp-fusion',
    label: 'Yelp Fusion API',
    source: 'yelp',
    needs: ['time_created', 'text', 'rating', 'user.name|user.id'],
    hints: ['id', 'url', 'user.image_url', 'user.profile_url'],
    columns: {
      text: ['text'],
      date: ['time_created'],
      rating: ['rating'],
      author: ['user.name'],
      avatar: ['user.image_url'],
      url: ['url'],
      id: ['id'],
    },
    without: ['title', 'status', 'source', 'language'],
  },
  {
    // The header says that its times are UTC; the title is a line of its own; the e-mail goes.
    name: 'trustpilot',
    label: 'Trustpilot service reviews',
    source: 'trustpilot',
    needs: ['Review Content', 'Review Stars', 'Review Created (UTC)|Review Created', 'Review Id|Review Username'],
    hints: [
      'Review Username',
      'Review Title',
      'Domain Url',
      'Webshop Name',
      'Business Unit Id',
      'Source Of Review',
      'Reference Id',
    ],
    columns: {
      text: ['Review Content'],
      date: ['Review Created (UTC)', 'Review Created'],
      rating: ['Review Stars'],
      author: ['Review Username'],
      id: ['Review Id'],
      title: ['Review Title'],
      language: ['Review Language'],
    },
    metadata: { 'Location Name': 'location_name' },
    without: ['source', 'url', 'avatar', 'status'],
  },
  {
    // Reviews of single products: the product is what a page filters by.
    name: 'trustpilot-products',
    label: 'Trustpilot product reviews',
    source: 'trustpilot',
    needs: ['stars', 'content', 'product_name|product_sku', 'consumer_name', 'created_at'],
    hints: ['review_id', 'product_sku'],
    columns: {
      text: ['content'],
      date: ['created_at'],
      rating: ['stars'],
      author: ['consumer_name'],
      id: ['review_id'],
    },
    metadata: { product_name: 'product_name', product_sku: 'product_sku' },
    without: ['source', 'url', 'avatar'],
  },
  {
    // A recommendation stands where the stars may be missing; the platform's name is kept, the reviews are custom.
    name: 'podium',
    label: 'Podium API',
    source: 'custom',
    needs: ['review.body', 'createdAt', 'uid|author.name'],
    hints: ['review.rating', 'review.url', 'review.siteName', 'review.siteReviewId', 'isRecommendation'],
    columns: {
      text: ['review.body'],
      date: ['review.createdAt', 'createdAt'],
      rating: ['review.rating', 'isRecommendation'],
      author: ['author.name'],
      url: ['review.url'],
      id: ['uid', 'review.siteReviewId'],
    },
    metadata: { 'review.siteName': 'source_name' },
    ratings: RECOMMENDATION,
    without: ['source', 'status', 'title', 'avatar', 'language'],
  },
  {
    // Recommendations have replaced stars, and the offset has no colon; there is no id of the review.
    name: 'facebook',
    label: 'Facebook Graph ratings',
    source: 'facebook',
    needs: ['created_time', 'review_text', 'recommendation_type|rating|has_rating'],
    hints: ['reviewer.name', 'reviewer.id', 'has_review', 'open_graph_story.id'],
    columns: {
      text: ['review_text'],
      date: ['created_time'],
      rating: ['rating', 'recommendation_type'],
      author: ['reviewer.name'],
      id: ['open_graph_story.id'],
    },
    ratings: RECOMMENDATION,
    without: ['source', 'status', 'title', 'url', 'avatar', 'language'],
  },
  {
    // "source" says "web" or "email", no platform; "curated" holds the moderation.
    name: 'judgeme',
    label: 'Judge.me',
    source: 'custom',
    needs: ['body', 'rating', 'review_date', 'reviewer_name'],
    hints: ['curated', 'product_handle', 'product_id', 'picture_urls', 'reviewer_email', 'ip_address', 'reply_date'],
    columns: {
      text: ['body'],
      title: ['title'],
      date: ['review_date'],
      rating: ['rating'],
      author: ['reviewer_name'],
      id: ['id', 'review_id'],
      status: ['curated'],
    },
    // "not-yet" is a published review that nobody has looked at yet.
    statuses: { ok: 'shown', 'not-yet': 'shown', spam: 'spam' },
    metadata: { product_handle: 'product_handle', product_id: 'product_id' },
    without: ['source', 'url', 'avatar', 'language'],
  },
  {
    name: 'loox',
    label: 'Loox',
    source: 'custom',
    needs: ['status', 'rating', 'review', 'date', 'nickname|full_name'],
    hints: ['id', 'email', 'full_name', 'nickname', 'handle', 'productId', 'verified_purchase', 'img'],
    columns: {
      text: ['review'],
      date: ['date'],
      rating: ['rating'],
      author: ['nickname', 'full_name'],
      id: ['id'],
      status: ['status'],
    },
    metadata: { handle: 'product_handle', productId: 'product_id' },
    without: ['source', 'url', 'avatar'],
  },
  {
    // Comes with semicolons and days first from European accounts.
    name: 'yotpo',
    label: 'Yotpo',
    source: 'custom',
    needs: ['Review Title', 'Review Content', 'Review Score', 'Date|Review Creation Date|Review Date'],
    hints: ['Product ID', 'Product Title', 'Reviewer Display Name', 'Reviewer Email', 'Review Status', 'Display Name'],
    columns: {
      text: ['Review Content'],
      title: ['Review Title'],
      date: ['Date', 'Review Creation Date', 'Review Date'],
      rating: ['Review Score'],
      author: ['Reviewer Display Name', 'Display Name', 'Reviewer Name', 'Reviewer', 'User Name'],
      id: ['Review ID'],
      status: ['Review Status', 'Published', 'Status'],
    },
    metadata: { 'Product ID': 'product_id', 'Product Title': 'product_title', 'Product Handle': 'product_handle' },
    dayFirst: (table) => table.delimiter === ';',
    without: ['source', 'url', 'avatar'],
  },
  {
    name: 'okendo',
    label: 'Okendo',
    source: 'custom',
    needs: ['Review ID', 'Rating', 'Body', 'Date Created', 'Reviewer Name'],
    hints: ['Product ID', 'Title', 'Status', 'Product Name', 'Reviewer Email', 'Variant ID'],
    columns: {
      text: ['Body'],
      title: ['Title'],
      date: ['Date Created'],
      rating: ['Rating'],
      author: ['Reviewer Name'],
      id: ['Review ID'],
      status: ['Status'],
    },
    metadata: { 'Product ID': 'product_id', 'Product Name': 'product_name', 'Product Handle': 'product_handle' },
    without: ['source', 'url', 'avatar'],
  },
  {
    name: 'shopify',
    label: 'Shopify Product Reviews',
    source: 'custom',
    needs: ['product_handle', 'state', 'rating', 'author', 'body', 'created_at'],
    hints: ['title', 'email', 'location', 'reply', 'replied_at'],
    columns: {
      text: ['body'],
      title: ['title'],
      date: ['created_at'],
      rating: ['rating'],
      author: ['author'],
      status: ['state'],
    },
    // A review is imported as hidden rather than left out: only Judge.me's spam is known to be none.
    statuses: { spam: 'hidden' },
    metadata: { product_handle: 'product_handle' },
    without: ['source', 'url', 'avatar', 'id'],
  },
  {
    name: 'powerreviews',
    label: 'PowerReviews',
    source: 'custom',
    needs: ['Review Text', 'Rating', 'Review Date', 'Review Status', 'Page Id|Review Id'],
    hints: ['Review Display', 'Review Title', 'Review Location', 'Verified Buyer'],
    columns: {
      text: ['Review Text'],
      title: ['Review Title'],
      date: ['Review Date'],
      rating: ['Rating'],
      author: ['Reviewer Name', 'Nickname', 'Reviewer Nickname', 'Display Name'],
      id: ['Review Id'],
      status: ['Review Status'],
    },
    metadata: { 'Page Id': 'page_id' },
    without: ['source', 'url', 'avatar'],
  },
  {
    // A rating of 0 is no rating; date_gmt is the one whose zone is known.
    name: 'site-reviews',
    label: 'Site Reviews for WordPress',
    source: 'custom',
    needs: ['date', 'rating', 'content', 'is_approved|date_gmt'],
    hints: [
      'title',
      'name',
      'email',
      'avatar',
      'ip_address',
      'is_pinned',
      'is_verified',
      'assigned_posts',
      'url',
      'response',
    ],
    columns: {
      text: ['content'],
      title: ['title'],
      date: ['date_gmt', 'date'],
      rating: ['rating'],
      author: ['name'],
      avatar: ['avatar'],
      id: ['id', 'ID', 'review_id'],
      status: ['is_approved'],
      url: ['url'],
      language: ['language'],
    },
    without: ['source'],
  },
  {
    // No official CSV exists; this is the header that most exporters write.
    name: 'google-csv',
    label: 'Google Business Profile CSV',
    source: 'google',
    needs: ['Review Date|Review Time|Created', 'Reviewer Name|Reviewer', 'Star Rating', 'Comment|Review Comment'],
    hints: ['Location', 'Business Name', 'Reply', 'Review Reply', 'Review ID', 'Store Code'],
    unless: ['Source', 'Review Source', 'Site', 'Site Name', 'Platform', 'Publisher', 'Social Media Source'],
    formats: ['csv'],
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
    formats: ['csv'],
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
