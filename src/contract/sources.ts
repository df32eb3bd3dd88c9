/** Where a review was written. */
export const SOURCES = ['google', 'yelp', 'facebook', 'trustpilot', 'custom'] as const
