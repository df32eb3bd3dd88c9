import type { ImportFormat } from './format.ts'

/** Exports of reviews that no customers wrote; they are refused. */
export const OWN_REVIEW_FORMATS: readonly ImportFormat[] = [
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
    // "Name", "Title" and "Author" are the film's or the book's.
    name: 'books-and-films',
    label: 'Letterboxd, Goodreads, StoryGraph and LibraryThing',
    source: 'custom',
    needs: 'Letterboxd URI|Exclusive Shelf|ISBN/UID|Sort Character',
    hints: 'My Review, Review, Star Rating, My Rating, Rating, Watched Date, Date Read, Read Status',
    columns: {
      text: 'Review | My Review',
      date: 'Watched Date | Date Read | Last Date Read | Date | Date Added',
      rating: 'Rating | My Rating | Star Rating',
      title: 'Name | Title',
    },
    refuse:
      'These are reviews that the owner of the account wrote about films or books, not reviews that customers wrote.',
  },
  {
    // Glassdoor, Indeed and kununu, by what only employees are asked.
    name: 'employer-reviews',
    label: 'Reviews of an employer',
    source: 'custom',
    needs:
      'Work/Life Balance|rating_work_life_balance|work_balance_stars|Advice to Management|advice_to_mgmt|advice_mgmt|CEO Approval|ceo_approv|rating_ceo|approves_of_ceo|Business Outlook|rating_business_outlook|employee_status|Gut am Arbeitgeber finde ich|Schlecht am Arbeitgeber finde ich',
    columns: {},
    alsoByAlias: 'all',
    refuse: 'These are reviews that employees wrote about their employer, not reviews that customers wrote.',
  },
]
