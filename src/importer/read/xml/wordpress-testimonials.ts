/** The post types of plugins and themes: `testimonial`, `wpm-testimonial`, `bne_testimonials`, `site-review`. */
const TESTIMONIAL = /testimonial|^site-review$|^wpcr3_review$/
/** Of Strong Testimonials the title is a headline, of other plugins the name of who wrote it. */
const TITLE_IS_HEADLINE = /^(?:wpm-testimonial|site-review|wpcr3_review)$/
/** Longer titles are sentences. */
const LONGEST_NAME = 60
const AUTHOR_KEY =
  /^_?(?:(?:testimonials?|wpcr3_review|tss|bne_testimonials?)_)?(?:(?:client|customer|reviewer|author|person)(?:_name)?|name|cite)$/
const RATING_KEY = /^_?(?:(?:testimonials?|wpcr3_review|tss)_)?(?:star_?)?(?:ratings?|stars)$/
/** The editor's marks around blocks. */
const BLOCK = /<!-- \/?wp:[^>]{0,1000}-->/g

type Post = Readonly<Record<string, unknown>>

/** Whether a post of an export is a testimonial, as plugins store them. */
export function isTestimonial({ post_type: type }: Post): boolean {
  return typeof type === 'string' && TESTIMONIAL.test(type)
}

/** Whether a review is one of Site Reviews since version 5, whose stars and names are in a table that is not exported. */
export function isWithoutStars({ post_type: type }: Post, meta: readonly Post[]): boolean {
  return type === 'site-review' && metaValue(meta, RATING_KEY) === ''
}

/**
 * A testimonial with the fields of a comment: what is not published (a draft, a pending one) is not approved.
 *
 * @param meta the post's pairs of `meta_key` and `meta_value`
 */
export function testimonialRecord(post: Post, meta: readonly Post[]): Post {
  const title = textOf(post.title)
  const named = metaValue(meta, AUTHOR_KEY)
  const isName = named === '' && title.length <= LONGEST_NAME && !TITLE_IS_HEADLINE.test(textOf(post.post_type))
  return {
    // Posts and comments are counted separately.
    comment_id: `post-${textOf(post.post_id)}`,
    comment_author: named === '' && isName ? title : named,
    comment_content: contentOf(post.encoded).replace(BLOCK, '').trim(),
    comment_date: post.post_date,
    // Drafts have none.
    comment_date_gmt: textOf(post.post_date_gmt).startsWith('0000') ? '' : post.post_date_gmt,
    comment_approved: post.status === 'publish' ? '1' : '0',
    comment_type: 'review',
    comment_parent: '0',
    rating: metaValue(meta, RATING_KEY),
    post_title: isName || title === named ? undefined : title,
    post_link: post.link,
  }
}

/** Content and excerpt have one name without their prefixes; the content comes first. */
function contentOf(encoded: unknown): string {
  return Array.isArray(encoded) ? (encoded.map(textOf).find((text) => text !== '') ?? '') : textOf(encoded)
}

/** The first value of a matching key that is a text of its own: plugins also store whole forms, in PHP's notation. */
function metaValue(meta: readonly Post[], key: RegExp): string {
  const found = meta.find((pair) => key.test(textOf(pair.meta_key)) && !SERIALIZED.test(textOf(pair.meta_value)))
  return textOf(found?.meta_value)
}

const SERIALIZED = /^(?:[aO]:\d+:|$)/

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}
