/**
 * The importer's messages name flags of the command, which the page replaces with its own choices. Whole phrases are
 * matched, so that nothing in a review's text can be mistaken for one.
 */
const PHRASES: [command: string | RegExp, page: string][] = [
  [
    ', or say how they are meant with --day-first or --no-day-first, which skips the rows that can only be read the other way',
    ', or choose below how they are meant, which leaves out the rows that can only be read the other way',
  ],
  [', with --day-first or --no-day-first.', ', or choose below how the dates of all are read.'],
  [/ \(--(?:no-)?day-first turns them, before they are imported\)/g, ' (the other way can be chosen below)'],
  [': --no-day-first reads the file so', ', and those of this file are read with the day first'],
  [': --day-first reads the file so', ', and those of this file are read with the month first'],
  [', name its encoding (--encoding windows-1250), or save it', ', choose its encoding below, or save it'],
  [
    'Name the encoding it was saved in (--encoding windows-1250), or save it',
    'Choose the encoding it was saved in, or save it',
  ],
  [': --repair-encoding mends it', ', unless that is chosen below'],
  ['; --decode-html reads it', ', unless that is chosen below'],
  [', or give the day on which the file was made with --as-of', ', or give below the day on which the file was made'],
  [', or give all of them one with --date', ', or give all of them one below'],
  [
    ': --as-of with the day on which the file was made tells more than --date',
    ', which tells more than one day for all',
  ],
  [': the one of --date counts only without them (--map date=)', ', and not the given one'],
  ['is later than the day of --as-of', 'is later than the day on which the file was made'],
  [
    '; --as-of with the day on which the file was made counts it back',
    '; the day on which the file was made can be given below',
  ],
  ['leave the ids out with --map id=', 'choose no column for the id'],
  ['leave it out with --map id=', 'choose no column for the id'],
  [
    'name its best with --rating-scale 10, if that is 10, or leave it out with --map rating=',
    'choose below what its best is, or no column for the rating',
  ],
  [/ \(--map \w+=…\)/g, ' (choose below)'],
  [/ \(--map rating="(?:[^"\\]|\\.)*" takes it\)/g, ' (unless it is chosen below)'],
  [' (--map status=… names the column that is)', ''],
  [/Name the text with --map text=(?:"(?:[^"\\]|\\.)*"|COLUMN)\./g, 'Name what is missing below.'],
  [/Name (?:them|it) with --map (?:text|date)=.*? The columns: /gs, 'Name what is missing below. The columns: '],
  ['; --force imports them a second time', ''],
  [': --missing hide hides what its vendor has removed', ', unless that is chosen below'],
  ['; --missing hide-many hides them all the same', ''],
  [' To import them all the same, use --force.', ''],
  [
    " Leave this file's ids out with --map id=, so that others are made of name, day and text. To replace the stored ones, use --force.",
    '',
  ],
  [', or send the reviews with "pullquote reviews push"', ''],
]

/** Rewords a message of the importer for the page, or a whole file of them, such as `errors.csv`. */
export function inPageWords(text: string): string {
  return PHRASES.reduce((said, [command, page]) => said.replaceAll(command, page), text)
}
