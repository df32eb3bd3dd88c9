import type { ImportFormat } from './format.ts'

const RECOMMENDATION = { positive: '5', negative: '1', true: '5', false: '1' } as const

/** Exports of review platforms and of services that collect from them. */
export const PLATFORM_FORMATS: readonly ImportFormat[] = [
  {
    // Takeout writes stars as words and the vendor's id in "name"; half of the reviews are stars without text.
    name: 'google-takeout',
    label: 'Google Takeout (Business Profile)',
    source: 'google',
    needs: 'starRating, createTime, reviewer.displayName|reviewer|name|reviewId',
    hints: 'comment, updateTime, reviewReply.comment, name, reviewer.displayName, reviewer.profilePhotoUrl',
    columns: {
      text: 'comment',
      date: 'createTime | updateTime',
      rating: 'starRating',
      author: 'reviewer.displayName | reviewer',
      avatar: 'reviewer.profilePhotoUrl',
      id: 'name | reviewId',
    },
  },
  {
    // "name" is the review's id (places/…/reviews/…); "text" is Google's translation where "originalText" differs.
    name: 'google-places',
    label: 'Google Places API (New)',
    source: 'google',
    needs: 'authorAttribution.displayName, publishTime, rating, name',
    hints: 'originalText.text, originalText.languageCode, text.text, googleMapsUri, authorAttribution.photoUri',
    columns: {
      text: 'originalText.text | text.text',
      date: 'publishTime',
      rating: 'rating',
      author: 'authorAttribution.displayName',
      avatar: 'authorAttribution.photoUri',
      url: 'googleMapsUri',
      id: 'name',
      language: 'originalText.languageCode | text.languageCode',
    },
  },
  {
    // What shops and review apps give Google for its shopping pages: reviews that the shop's own customers wrote.
    name: 'google-product-reviews',
    label: 'Google product review feed (XML)',
    source: 'custom',
    needs: 'content, review_timestamp, reviewer.name|reviewer.name.value',
    hints:
      'review_id, ratings.overall.value, title, review_url.value, is_spam, collection_method, products.product.product_name',
    columns: {
      text: 'content',
      title: 'title',
      date: 'review_timestamp',
      rating: 'ratings.overall.value | ratings.overall',
      author: 'reviewer.name | reviewer.name.value',
      url: 'review_url.value | review_url',
      id: 'review_id',
      language: 'review_language',
      status: 'is_spam',
    },
    statuses: { true: 'spam', false: 'shown' },
    metadata: { 'products.product.product_name': 'product_name' },
  },
  {
    name: 'google-merchant-reviews',
    label: 'Google merchant review feed (XML)',
    source: 'custom',
    needs: 'content, create_timestamp, id, mid',
    hints: 'reviewer_name, ratings.overall.value, title, last_update_timestamp, country_code, collection_method',
    columns: {
      text: 'content',
      title: 'title',
      date: 'create_timestamp',
      rating: 'ratings.overall.value | ratings.overall',
      author: 'reviewer_name',
      id: 'id',
    },
  },
  {
    // The account's owner wrote these about other places: they are not testimonials of customers.
    name: 'google-maps-own',
    label: 'Google Maps "your reviews" (Takeout)',
    source: 'google',
    needs:
      'review_text_published|Review Comment, five_star_rating_published|Star Rating, google_maps_url|Google Maps URL',
    hints: 'location.name, location.address, date, Published',
    columns: {
      text: 'review_text_published | Review Comment',
      date: 'date | Published',
      rating: 'five_star_rating_published | Star Rating',
      url: 'google_maps_url',
    },
    metadata: { 'location.name': 'place_name', 'Location.Business Name': 'place_name' },
    alsoByAlias: ['language'],
    refuse:
      'These are reviews that the owner of the Google account wrote about other places, not reviews that customers wrote. ' +
      'In Google Takeout choose "Google Business Profile" instead of "Maps (your places)".',
  },
  {
    // "title" is the place, "name" the author.
    name: 'apify',
    label: 'Apify Google Maps reviews',
    source: 'google',
    needs: 'text, publishedAtDate, stars, name',
    hints: 'reviewId, reviewUrl, reviewerPhotoUrl, textTranslated, originalLanguage, title, placeId, likesCount',
    columns: {
      text: 'text',
      translation: 'textTranslated',
      date: 'publishedAtDate',
      rating: 'stars',
      author: 'name',
      avatar: 'reviewerPhotoUrl',
      url: 'reviewUrl',
      id: 'reviewId',
      language: 'originalLanguage',
    },
    metadata: { title: 'place_name', placeId: 'place_id' },
  },
  {
    // "name" is the place and "rating" its average: author_title and review_rating are the review's.
    name: 'outscraper',
    label: 'Outscraper Google reviews',
    source: 'google',
    needs: 'author_title, review_text, review_rating',
    hints: 'review_id, review_link, author_image, review_datetime_utc, review_timestamp, owner_answer',
    columns: {
      text: 'review_text',
      date: 'review_datetime_utc | review_timestamp',
      rating: 'review_rating',
      author: 'author_title',
      avatar: 'author_image',
      url: 'review_link',
      id: 'review_id',
    },
    metadata: { name: 'place_name', place_id: 'place_id' },
  },
  {
    // "title" is the author, unlike SerpApi's reviews of the App Store, whose author is "author.name".
    name: 'serpapi-google-play',
    label: 'SerpApi Google Play reviews',
    source: 'custom',
    needs: 'title, avatar, rating, snippet, iso_date',
    hints: 'id, likes, date, response.title, response.snippet, response.date',
    unless: 'author.name, user.name, author, name',
    columns: { text: 'snippet', date: 'iso_date', rating: 'rating', author: 'title', avatar: 'avatar', id: 'id' },
  },
  {
    // No author's name, and stars as floats, one object a line.
    name: 'yelp-dataset',
    label: 'Yelp open dataset',
    source: 'yelp',
    needs: 'review_id, business_id, stars, text, date',
    hints: 'user_id, useful, funny, cool',
    columns: { text: 'text', date: 'date', rating: 'stars', id: 'review_id' },
    metadata: { business_id: 'business_id' },
    alsoByAlias: ['language'],
  },
  {
    // Half stars, and times without a zone.
    name: 'yelp-fusion',
    label: 'Yelp Fusion API',
    source: 'yelp',
    needs: 'time_created, text, rating, user.name|user.id',
    hints: 'id, url, user.image_url, user.profile_url',
    columns: {
      text: 'text',
      date: 'time_created',
      rating: 'rating',
      author: 'user.name',
      avatar: 'user.image_url',
      url: 'url',
      id: 'id',
    },
  },
  {
    // The header says that times are UTC; the title is a column of its own; the e-mail is left out.
    name: 'trustpilot',
    label: 'Trustpilot service reviews',
    source: 'trustpilot',
    needs: 'Review Content, Review Stars, Review Created (UTC)|Review Created, Review Id|Review Username',
    hints: 'Review Username, Review Title, Domain Url, Webshop Name, Business Unit Id, Source Of Review, Reference Id',
    columns: {
      text: 'Review Content',
      date: 'Review Created (UTC) | Review Created',
      rating: 'Review Stars',
      author: 'Review Username',
      id: 'Review Id',
      title: 'Review Title',
      language: 'Review Language',
    },
    metadata: { 'Location Name': 'location_name' },
  },
  {
    // "source" is how the customer was invited, not a platform.
    name: 'trustpilot-api',
    label: 'Trustpilot API',
    source: 'trustpilot',
    needs: 'stars, text, createdAt, consumer.displayName',
    hints:
      'id, title, language, status, businessUnit.id, businessUnit.identifyingName, companyReply.text, numberOfLikes',
    columns: {
      text: 'text',
      title: 'title',
      date: 'createdAt',
      rating: 'stars',
      author: 'consumer.displayName',
      avatar: 'consumer.imageUrl',
      id: 'id',
      language: 'language',
      status: 'status',
    },
    metadata: { 'location.name': 'location_name' },
  },
  {
    // Product reviews: pages filter by the product.
    name: 'trustpilot-products',
    label: 'Trustpilot product reviews',
    source: 'trustpilot',
    needs: 'stars, content, product_name|product_sku, consumer_name, created_at',
    hints: 'review_id, product_sku',
    columns: {
      text: 'content',
      date: 'created_at',
      rating: 'stars',
      author: 'consumer_name',
      id: 'review_id',
    },
    metadata: { product_name: 'product_name', product_sku: 'product_sku' },
    alsoByAlias: ['title', 'language', 'status'],
  },
  {
    // Positive and negative text are two columns; scores are out of 10. The reservation number is private.
    name: 'booking',
    label: 'Booking.com guest reviews',
    source: 'custom',
    needs: 'Positive review, Negative review, Review score, Review date',
    hints: 'Guest name, Reservation number, Review title, Cleanliness, Value for money, Property reply',
    columns: {
      text: 'Positive review | Negative review',
      date: 'Review date',
      rating: 'Review score',
      author: 'Guest name',
      title: 'Review title',
    },
    joinsTexts: true,
    ratingScale: 10,
  },
  {
    // Recommendations may replace stars; the platform is kept as metadata, and the source is custom.
    name: 'podium',
    label: 'Podium API',
    source: 'custom',
    needs: 'review.body, createdAt, uid|author.name',
    hints: 'review.rating, review.url, review.siteName, review.siteReviewId, isRecommendation',
    columns: {
      text: 'review.body',
      date: 'review.createdAt | createdAt',
      rating: 'review.rating | isRecommendation',
      author: 'author.name',
      url: 'review.url',
      id: 'uid | review.siteReviewId',
    },
    metadata: { 'review.siteName': 'source_name' },
    ratings: RECOMMENDATION,
  },
  {
    // Recommendations have replaced stars; the UTC offset has no colon; reviews have no id.
    name: 'facebook',
    label: 'Facebook Graph ratings',
    source: 'facebook',
    needs: 'created_time, review_text, recommendation_type|rating|has_rating',
    hints: 'reviewer.name, reviewer.id, has_review, open_graph_story.id',
    columns: {
      text: 'review_text',
      date: 'created_time',
      rating: 'rating | recommendation_type',
      author: 'reviewer.name',
      id: 'open_graph_story.id',
    },
    ratings: RECOMMENDATION,
  },
  {
    // Recommendations have replaced stars.
    name: 'facebook-apify',
    label: 'Apify Facebook reviews',
    source: 'facebook',
    needs: 'facebookUrl, text, date, isRecommended',
    hints: 'id, url, user.name, user.profilePic, legacyId, likesCount, commentsCount, pageName',
    columns: {
      text: 'text',
      date: 'date',
      rating: 'isRecommended',
      author: 'user.name',
      avatar: 'user.profilePic',
      url: 'url',
      id: 'id',
    },
    ratings: RECOMMENDATION,
  },
  {
    // "Role" is that of who received the feedback: a seller's customers wrote to a seller.
    name: 'ebay',
    label: 'eBay feedback (Trading API)',
    source: 'custom',
    needs: 'CommentingUser, CommentText, CommentTime, CommentType',
    hints: 'Role, FeedbackID, FeedbackResponse, ItemID, ItemTitle, TransactionID, CommentReplaced',
    columns: {
      text: 'CommentText',
      date: 'CommentTime',
      rating: 'CommentType',
      author: 'CommentingUser',
      id: 'FeedbackID',
    },
    ratings: { ...RECOMMENDATION, neutral: '3' },
    only: { Role: ['', 'seller'], CommentReplaced: ['', 'false'] },
    metadata: { ItemTitle: 'item_title', ItemID: 'item_id' },
  },
  {
    // Glassdoor, Indeed and kununu, by what only employees are asked.
    name: 'employer-reviews',
    label: 'Reviews of an employer',
    source: 'custom',
    needs:
      'Work/Life Balance|rating_work_life_balance|work_balance_stars|Advice to Management|advice_to_mgmt|advice_mgmt|CEO Approval|ceo_approv|rating_ceo|approves_of_ceo|Business Outlook|rating_business_outlook|Gut am Arbeitgeber finde ich|Schlecht am Arbeitgeber finde ich',
    columns: {},
    alsoByAlias: 'all',
    refuse: 'These are reviews that employees wrote about their employer, not reviews that customers wrote.',
  },
  {
    // A comment is a conversation: the user's text and the developer's reply.
    name: 'google-play-api',
    label: 'Google Play Developer API',
    source: 'custom',
    needs: 'reviewId, comments.userComment.text, comments.userComment.lastModified.seconds',
    hints:
      'authorName, comments.userComment.starRating, comments.developerComment.text, comments.userComment.reviewerLanguage',
    columns: {
      text: 'comments.userComment.text',
      date: 'comments.userComment.lastModified.seconds',
      rating: 'comments.userComment.starRating',
      author: 'authorName',
      id: 'reviewId',
      language: 'comments.userComment.reviewerLanguage',
    },
  },
  {
    // Out of 10; the customer's one-liner and opinion are answers to questions; reviewComments is the owner's reply.
    name: 'kiyoh',
    label: 'Kiyoh and Klantenvertellen',
    source: 'custom',
    needs: 'dateSince, rating, reviewContent.DEFAULT_OPINION|reviewContent.DEFAULT_ONELINER',
    hints: 'reviewId, reviewAuthor, city, reviewComments, updatedSince, referenceCode',
    columns: {
      text: 'reviewContent.DEFAULT_ONELINER | reviewContent.DEFAULT_OPINION',
      date: 'dateSince',
      rating: 'rating',
      author: 'reviewAuthor',
      id: 'reviewId',
    },
    joinsTexts: true,
    ratingScale: 10,
  },
  {
    // Service reviews only; product reviews are a separate list.
    name: 'feefo',
    label: 'Feefo API',
    source: 'custom',
    needs: 'service.review, service.created_at, service.rating.rating',
    hints: 'customer.display_name, service.id, service.moderation_status, url, products, merchant.identifier',
    columns: {
      text: 'service.review',
      title: 'service.title',
      date: 'service.created_at',
      rating: 'service.rating.rating',
      author: 'customer.display_name',
      id: 'service.id',
      url: 'url',
      status: 'service.moderation_status',
    },
    leavesOut: 'service reviews are read; product reviews ("products") are left out',
  },
  {
    // Shop reviews have "comments", product reviews "review".
    name: 'reviews-io',
    label: 'Reviews.io API',
    source: 'custom',
    needs: 'store_review_id|product_review_id, date_created, rating, comments|review',
    hints: 'title, reviewer.first_name, type, replies, timeago',
    columns: {
      text: 'comments | review',
      title: 'title',
      date: 'date_created',
      rating: 'rating',
      author: 'author.name | author | reviewer.name | reviewer.first_name',
      id: 'store_review_id | product_review_id',
    },
    metadata: { type: 'type', sku: 'product_sku' },
    alsoByAlias: ['status'],
  },
]
