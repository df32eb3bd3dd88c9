import type { ImportFormat } from './format.ts'

/** Tables and APIs of shop systems whose column names or other rows are misleading. */
export const SHOP_SYSTEM_FORMATS: readonly ImportFormat[] = [
  {
    // The table holds everything attached to a post or an order, including the shop's replies and private order notes.
    name: 'wordpress',
    label: 'WordPress and WooCommerce comments (table or export)',
    source: 'custom',
    needs: 'comment_content, comment_author, comment_date|comment_date_gmt',
    hints: 'comment_ID, comment_approved, comment_type, comment_parent, comment_post_ID, rating',
    columns: {
      text: 'comment_content',
      date: 'comment_date_gmt | comment_date',
      rating: 'rating',
      author: 'comment_author',
      id: 'comment_ID',
      url: 'post_link',
      status: 'comment_approved',
    },
    statuses: { '1': 'shown', '0': 'hidden', hold: 'hidden', trash: 'hidden', 'post-trashed': 'hidden' },
    idPrefix: 'wordpress-',
    // It stores `&` as `&amp;` and lets visitors format words.
    isHtml: true,
    only: { comment_type: ['', 'comment', 'review'], comment_parent: ['', '0'] },
    // WooCommerce's, beside the comments on its blog; it marked none in earlier versions.
    mark: { column: 'comment_type', value: 'review' },
    starsElsewhere:
      'the stars of a shop are in another table (wp_commentmeta): import the file of Tools, Export, which has them, instead',
    metadata: { comment_post_ID: 'post_id', post_title: 'post_title' },
  },
  {
    name: 'wordpress-api',
    label: 'WordPress comments (REST)',
    source: 'custom',
    needs: 'content.rendered, author_name, date_gmt|date, post',
    hints: 'id, parent, status, type, link, author_url',
    columns: {
      text: 'content.rendered',
      date: 'date_gmt | date',
      author: 'author_name',
      id: 'id',
      url: 'link',
      status: 'status',
    },
    idPrefix: 'wordpress-',
    // It stores `&` as `&amp;` and lets visitors format words.
    isHtml: true,
    only: { type: ['', 'comment', 'review'], parent: ['', '0'] },
    metadata: { post: 'post_id' },
    alsoByAlias: ['rating'],
  },
  {
    // States are numbers: 1 approved, 2 pending, 3 not approved.
    name: 'magento',
    label: 'Magento product reviews (table)',
    source: 'custom',
    needs: 'detail, nickname, created_at, status_id|review_status',
    hints: 'review_id, title, entity_pk_value, detail_id, customer_id, store_id',
    columns: {
      text: 'detail',
      title: 'title',
      date: 'created_at',
      rating: 'percent',
      author: 'nickname',
      id: 'review_id | id',
      status: 'status_id | review_status',
    },
    statuses: { '1': 'shown', '2': 'hidden', '3': 'hidden' },
    idPrefix: 'magento-',
    starsElsewhere:
      'the stars are in another table (rating_option_vote): join them as templates/snippet/content-systems.md does',
    metadata: { entity_pk_value: 'product_id', sku: 'product_sku' },
    alsoByAlias: ['rating'],
  },
  {
    name: 'magento-graphql',
    label: 'Magento product reviews (GraphQL)',
    source: 'custom',
    needs: 'average_rating, summary, text, nickname, created_at',
    hints: 'ratings_breakdown',
    columns: { text: 'text', title: 'summary', date: 'created_at', rating: 'average_rating', author: 'nickname' },
    // One star is 20.
    ratingScale: 100,
  },
  {
    // "comment" is the shop's reply.
    name: 'shopware',
    label: 'Shopware product reviews',
    source: 'custom',
    needs: 'content, points, status, external_user|customer_id',
    hints: 'title, comment, external_email, product_id, sales_channel_id, created_at',
    columns: {
      text: 'content',
      title: 'title',
      date: 'created_at',
      rating: 'points',
      author: 'external_user',
      id: 'id',
      status: 'status',
    },
    metadata: { product_id: 'product_id' },
  },
  {
    // States are numbers: 1 pending, 2 disapproved, 3 approved.
    name: 'qloapps',
    label: 'QloApps hotel reviews (table)',
    source: 'custom',
    needs: 'id_hotel_review, description, status, date_add',
    hints: 'id_hotel, id_order, rating, subject, status_abusive, date_upd',
    columns: {
      text: 'description',
      title: 'subject',
      date: 'date_add',
      rating: 'rating',
      id: 'id_hotel_review',
      status: 'status',
    },
    statuses: { '1': 'hidden', '2': 'hidden', '3': 'shown' },
    idPrefix: 'qloapps-',
    metadata: { id_hotel: 'id_hotel' },
    alsoByAlias: ['author'],
  },
  {
    name: 'jtl',
    label: 'JTL-Shop reviews (table)',
    source: 'custom',
    needs: 'cText, nSterne, dDatum',
    hints: 'kBewertung, kArtikel, kKunde, kSprache, cName, cTitel, nAktiv, cAntwort',
    columns: {
      text: 'cText',
      title: 'cTitel',
      date: 'dDatum',
      rating: 'nSterne',
      author: 'cName',
      id: 'kBewertung',
      status: 'nAktiv',
    },
    idPrefix: 'jtl-',
    metadata: { kArtikel: 'product_id' },
  },
  {
    // Lists of products are rated in the same table.
    name: 'oxid',
    label: 'OXID eShop reviews (table)',
    source: 'custom',
    needs: 'OXTEXT, OXRATING, OXCREATE',
    hints: 'OXID, OXACTIVE, OXOBJECTID, OXTYPE, OXUSERID, OXLANG',
    columns: { text: 'OXTEXT', date: 'OXCREATE', rating: 'OXRATING', id: 'OXID', status: 'OXACTIVE' },
    only: { OXTYPE: ['', 'oxarticle'] },
    metadata: { OXOBJECTID: 'product_id' },
  },
  {
    // States are letters: A active, D disabled. The second names are those of versions before 4.13.
    name: 'cs-cart',
    label: 'CS-Cart product reviews (table)',
    source: 'custom',
    needs: 'rating_value, status, product_review_timestamp|thread_id, comment|message',
    hints: 'product_review_id, post_id, product_id, object_id, user_id, name, timestamp, advantages, disadvantages',
    columns: {
      text: 'comment | message | advantages | disadvantages',
      date: 'product_review_timestamp | timestamp',
      rating: 'rating_value',
      author: 'name',
      id: 'product_review_id | post_id',
      status: 'status',
    },
    statuses: { a: 'shown', d: 'hidden' },
    idPrefix: 'cs-cart-',
    metadata: { product_id: 'product_id', object_id: 'product_id' },
  },
  {
    // A collection is whatever its owner made of it. "Published On" changes whenever the site is published; drafts lack it.
    name: 'webflow',
    label: 'Webflow collection',
    source: 'custom',
    needs: 'Slug, Collection ID, Item ID, Created On, Published On',
    hints: 'Archived, Draft, Updated On, Locale ID',
    columns: {
      date: 'Review Date | Date | Created On',
      author:
        'Author | Author Name | Client | Client Name | Customer | Customer Name | Reviewer | Reviewer Name | Name',
      id: 'Item ID',
    },
    alsoByAlias: ['text', 'title', 'rating', 'avatar', 'url', 'language', 'source', 'status'],
  },
]
