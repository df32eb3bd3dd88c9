import { pluralize } from '../../../contract/counts.ts'
import { isObject } from '../json/json-values.ts'
import { isTestimonial, isWithoutStars, testimonialRecord } from './wordpress-testimonials.ts'

/** Post types that are no goods: comments on them are of a blog. */
const PRODUCT = 'product'
const YITH_REVIEW = 'ywar_reviews'

/**
 * The comments of a WordPress export (WXR, Tools → Export), each with its meta values, of which WooCommerce's `rating` is one,
 * and with title and address of its post. In a shop's export these are the comments on products, and those with stars. Testimonials, which plugins
 * store as posts, are given the fields of comments; beside them, what is said about pages is left out.
 *
 * @param document as `xmlValue` gives it
 * @returns undefined for another document
 */
export function wordpressComments(
  document: Record<string, unknown>,
): { records: unknown[]; notes: string[] } | undefined {
  const channel = isObject(document.rss) ? document.rss.channel : undefined
  if (!isObject(channel) || channel.wxr_version === undefined) return undefined
  const posts = listOf(channel.item).filter(isObject)
  const refused = refusedComments(posts)
  const comments = posts.flatMap((post) =>
    listOf(post.comment)
      .filter(isObject)
      .map((comment) =>
        recordOf(refused.has(comment.comment_id) ? { ...comment, comment_approved: '0' } : comment, post),
      )
      // Plugins rate the shop itself, courses, places and listings the same way.
      .map((record) => ({ isReview: post.post_type === PRODUCT || (record.rating ?? '') !== '', record })),
  )
  const told = posts.filter(isTestimonial).map((post) => ({ post, meta: listOf(post.postmeta).filter(isObject) }))
  const testimonials = told
    .filter(({ post, meta }) => !isWithoutStars(post, meta))
    .map(({ post, meta }) => testimonialRecord(post, meta))
  const starless = told.length - testimonials.length
  const reviews = comments.filter(({ isReview }) => isReview)
  const kept = reviews.length > 0 || told.length > 0 ? reviews : comments
  const left = comments.length - kept.length
  const read =
    testimonials.length === 0
      ? 'those on products and with stars'
      : 'testimonials and comments on products and with stars'
  const notes: string[] = []
  if (left > 0) notes.push(`left out ${pluralize(left, 'comment')} on its pages and posts: only ${read} are read`)
  if (starless > 0)
    notes.push(
      `left out ${pluralize(starless, 'review')} of the plugin Site Reviews, since WordPress does not export their stars and names: import the plugin's own export as well (Tools, "Export Reviews")`,
    )
  return { records: [...testimonials, ...kept.map(({ record }) => record)], notes }
}

/** The comments that YITH's reviews hide: it makes a post of each, shows that, and leaves the comment approved. */
function refusedComments(posts: readonly Record<string, unknown>[]): ReadonlySet<unknown> {
  const refused = posts
    .filter(({ post_type: type }) => type === YITH_REVIEW)
    .map(({ status, postmeta }) => ({ status, meta: listOf(postmeta).filter(isObject) }))
    .filter(({ status, meta }) => status !== 'publish' || metaOf(meta, '_ywar_approved') === '0')
  return new Set(refused.map(({ meta }) => metaOf(meta, '_ywar_comment_id')))
}

function metaOf(meta: readonly Record<string, unknown>[], key: string): unknown {
  return meta.find(({ meta_key: name }) => name === key)?.meta_value
}

function recordOf({ commentmeta, ...comment }: Record<string, unknown>, post: Record<string, unknown>) {
  const values = listOf(commentmeta).filter(isObject)
  const [rating, verified] = [metaOf(values, 'rating'), metaOf(values, 'verified')]
  // WooCommerce marks them since WordPress 5.5, and earlier ones not.
  const { comment_type: type = '' } = comment
  const isUnmarked = post.post_type === PRODUCT && (type === '' || type === 'comment')
  const marked = isUnmarked ? { ...comment, comment_type: 'review' } : comment
  return { ...marked, rating, verified, post_title: post.title, post_link: post.link }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value]
}
