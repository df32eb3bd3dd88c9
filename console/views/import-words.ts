/**
 * The importer's messages name flags of the command, which the page replaces with its own choices. Whole phrases are
 * matched, so that nothing in a review's text can be mistaken for one.
 */
const PHRASES: [command: string | RegExp, page: string][] = [
  [
    ', or choose one order with --day-first or --no-day-first, which skips the rows that can only be read the other way',
    ', or choose one order below, which leaves out the rows that can only be read the other way',
  ],
  [', with --day-first or --no-day-first.', ', or choose below how the dates of all are read.'],
  [/; if its dates are right, use --(?:no-)?day-first\./g, ', or choose below how its dates are read.'],
  [
    'Use --no-day-first if what is stored is right; --day-first corrects it.',
    'Choose below to read the month first if what is stored is right; reading the day first corrects it.',
  ],
  [
    'Use --day-first if what is stored is right; --no-day-first corrects it.',
    'Choose below to read the day first if what is stored is right; reading the month first corrects it.',
  ],
  [
    / \(--(?:no-)?day-first reads them the other way; decide before you import\)/g,
    ' (the other way can be chosen below)',
  ],
  [': --no-day-first reads the file that way', ', but this file is read with the day first'],
  [': --day-first reads the file that way', ', but this file is read with the month first'],
  [', name the encoding (--encoding windows-1250), or save', ', choose the encoding below, or save'],
  [
    'Name the encoding it was saved in (--encoding windows-1250), or save it',
    'Choose the encoding it was saved in, or save it',
  ],
  [': --repair-encoding repairs it', '; it can be repaired below'],
  ['; --decode-html decodes it', '; it can be decoded below'],
  [', or give the day on which the file was made with --as-of', ', or give below the day on which the file was made'],
  [', or give all of them one day with --date', ', or give all of them one day below'],
  [
    ': --as-of with the day on which the file was made is more precise than --date',
    ', which is more precise than one day for all of them',
  ],
  [': --date is used only if these are left out (--map date=)', ', not from the day that was given'],
  ['is later than the day given with --as-of', 'is later than the day on which the file was made'],
  [
    '; to import it, give the day on which the file was made with --as-of',
    '; to import it, give the day on which the file was made below',
  ],
  ['leave the ids out with --map id=', 'choose no column for the id'],
  ['leave it out with --map id=', 'choose no column for the id'],
  [
    'use --rating-scale 10 if the best rating is 10, or leave the ratings out with --map rating=',
    'choose the best rating below, or no column for the rating',
  ],
  [/use --rating-scale \d+ if it is, or --rating-scale 5 if it is out of 5/g, 'choose the best rating below'],
  [/if it is the best possible, use --rating-scale \d+/g, 'if it is the best possible, choose it below'],
  [/: --rating-scale \d+ converts it to stars/g, ': choose the best rating below'],
  ['; --map rating= leaves the column out', '; or choose no column for the rating below'],
  [/ \(--map \w+=…\)/g, ' (choose below)'],
  [
    / \(--map (?:author|rating)="(?:[^"\\]|\\.)*" uses it(?:, with --rating-scale 10 if the answers go from 0 to 10)?\)/g,
    ' (unless it is chosen below)',
  ],
  [' (--map status=… names the one that is)', ''],
  [' (--map id= makes them of author, day and text instead)', ''],
  [' (--map rating= leaves them out)', ' (unless no column is chosen for the rating below)'],
  [/ \(--map text="(?:[^"\\]|\\.)*" reads them instead\)/g, ' (unless it is chosen below)'],
  [/ \(--metadata "(?:[^"\\]|\\.)*" keeps the name, by which pages can choose\)/g, ''],
  [/Name the text with --map text=(?:"(?:[^"\\]|\\.)*"|COLUMN)\./g, 'Name what is missing below.'],
  // Not beyond the next one: a file of skipped rows may consist of beginnings.
  [
    /Name (?:them|it) with --map (?:text|date)=(?:(?!Name (?:them|it) with ).)*? The columns: /gs,
    'Name what is missing below. The columns: ',
  ],
  ['; --force imports them anyway', ''],
  [
    ': keep the columns with --metadata, or use the mapping of the earlier import, and import again',
    ', until they are imported with a mapping that keeps the columns',
  ],
  [': --missing hide hides what the vendor has removed', '; hiding can be chosen below'],
  ['; --missing hide-many hides them anyway', ''],
  [' To import them anyway, use --force.', ''],
  [
    " Leave this file's ids out with --map id=, so that new ones are made from name, day and text. To replace the stored reviews, use --force.",
    '',
  ],
  [', or send the reviews with "pullquote reviews push"', ''],
]

/** Rewords a message of the importer for the page, or a whole file of them, such as `errors.csv`. */
export function inPageWords(text: string): string {
  return PHRASES.reduce((said, [command, page]) => said.replaceAll(command, page), text)
}
