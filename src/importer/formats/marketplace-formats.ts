import type { ImportFormat } from './format.ts'

/** Exports of marketplaces, and of platforms that compare shops and software. */
export const MARKETPLACE_FORMATS: readonly ImportFormat[] = [
  {
    // The summary is the review itself, beside pluses and minuses; "source" is no platform, "reaction" the shop's reply.
    name: 'heureka',
    label: 'Heureka',
    source: 'custom',
    needs: 'rating_id, unix_timestamp, total_rating|rating, pros|cons|summary',
    hints:
      'name, recommends, ordered, order_id, delivery_time, transport_quality, communication, web_usability, reaction',
    columns: {
      text: 'summary | pros | cons',
      date: 'unix_timestamp',
      rating: 'total_rating | rating',
      author: 'name',
      id: 'rating_id',
    },
    metadata: { product_name: 'product_name' },
    joinsTexts: true,
  },
  {
    // Scores go from 20 to 100. The buyer's words stand beside a translation.
    name: 'aliexpress',
    label: 'AliExpress',
    source: 'custom',
    needs: 'evaluationId, buyerEval, evalDate, buyerFeedback|feedback',
    hints: 'buyerName, buyerCountry, buyerTranslationFeedback, feedbackTranslated, anonymous, skuInfo, logistics',
    columns: {
      text: 'buyerFeedback | feedback',
      translation: 'buyerTranslationFeedback | feedbackTranslated',
      date: 'evalDate',
      rating: 'buyerEval',
      author: 'buyerName',
      id: 'evaluationId',
    },
    ratingScale: 100,
    metadata: { productId: 'product_id' },
  },
  {
    // "rating" is 1 in every review: the stars are in "rating_star".
    name: 'shopee',
    label: 'Shopee',
    source: 'custom',
    needs: 'cmtid, comment, rating_star, author_username, ctime|submit_time',
    hints:
      'rating, orderid, itemid, shopid, author_portrait, is_hidden, anonymous, ItemRatingReply.comment, product_name',
    columns: {
      text: 'comment',
      date: 'ctime | submit_time',
      rating: 'rating_star',
      author: 'author_username',
      id: 'cmtid',
      status: 'is_hidden',
    },
    metadata: { product_name: 'product_name' },
  },
  {
    // What the customer likes ("love") and dislikes ("hate") is the review; other answers are about features.
    name: 'g2',
    label: 'G2 API',
    source: 'custom',
    needs:
      'attributes.comment_answers.love.value, attributes.comment_answers.hate.value, attributes.submitted_at, attributes.star_rating',
    hints: 'id, attributes.title, attributes.user_name, attributes.is_public, attributes.product_name',
    columns: {
      text: 'attributes.comment_answers.love.value | attributes.comment_answers.hate.value',
      title: 'attributes.title',
      date: 'attributes.submitted_at',
      rating: 'attributes.star_rating',
      author: 'attributes.user_name',
      id: 'id',
      status: 'attributes.is_public',
    },
    joinsTexts: true,
    metadata: { 'attributes.product_name': 'product_name' },
  },
]
