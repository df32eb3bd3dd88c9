import { pluralize } from '../../../contract/counts.ts'
import { isObject } from '../json/json-values.ts'
import { isTestimonial, isWithoutStars, testimonialRecord } from './wordpress-testimonials.ts'

/** Post types that are no goods: comments on them are of a blog. */
const PRODUCT = 'product'

/**
 * The comments of a WordPress export (WXR, Tools → Export), each with its meta values, of which WooCommerce's `rating` is one,
 * and with title and address of its post. In a shop's export these are the comments on products. Testimonials, which plugins
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
  const comments = posts.flatMap((post) =>
    listOf(post.comment)
      .filter(isObject)
      .map((comment) => ({ isOfProduct: post.post_type === PRODUCT, record: recordOf(comment, post) })),
  )
  const told = posts.filter(isTestimonial).map((post) => ({ post, meta: listOf(post.postmeta).filter(isObject) }))
  const testimonials = told
    .filter(({ post, meta }) => !isWithoutStars(post, meta))
    .map(({ post, meta }) => testimonialRecord(post, meta))
  const starless = told.length - testimonials.length
  const ofProducts = comments.filter(({ isOfProduct }) => isOfProduct)
  const kept = ofProducts.length > 0 || told.length > 0 ? ofProducts : comments
  const left = comments.length - kept.length
  const read = testimonials.length === 0 ? 'those on products' : 'testimonials and comments on products'
  const notes: string[] = []
  if (left > 0) notes.push(`left out ${pluralize(left, 'comment')} on its pages and posts: only ${read} are read`)
  if (starless > 0)
    notes.push(
      `left out ${pluralize(starless, 'review')} of the plugin Site Reviews, since WordPress does not export their stars and names: import the plugin's own export as well (Tools, "Export Reviews")`,
    )
  return { records: [...testimonials, ...kept.map(({ record }) => record)], notes }
}

function recordOf({ commentmeta, ...comment }: Record<string, unknown>, post: Record<string, unknown>) {
  const values = listOf(commentmeta).filter(isObject)
  const rating = values.find(({ meta_key: key }) => key === 'rating')?.meta_value
  const verified = values.find(({ meta_key: key }) => key === 'verified')?.meta_value
  // WooCommerce marks them since WordPress 5.5, and earlier ones not.
  const { comment_type: type = '' } = comment
  const isUnmarked = post.post_type === PRODUCT && (type === '' || type === 'comment')
  const marked = isUnmarked ? { ...comment, comment_type: 'review' } : comment
  return { ...marked, rating, verified, post_title: post.title, post_link: post.link }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value]
}
