import { quoted } from '../quoted.ts'
import type { RawRow } from '../read/table.ts'
import { likelyAuthor } from './author-columns.ts'
import { filledCells } from './column-content.ts'
import type { Fields } from './field-columns.ts'
import type { ImportFormat } from './format.ts'
import type { Field } from './mapping.ts'
import { prosAndCons } from './pros-and-cons.ts'
import { isGermanGrade, likelyRating, scaleOfHeader } from './rating-columns.ts'

interface Understood {
  headers: readonly string[]
  sample: readonly RawRow[]
  fields: Fields
  /** Fields whose column is called so only by the words in its name. */
  byWords: readonly Field[]
  unused: readonly string[]
  /** Columns that are called like a status and say nothing known. */
  notUnderstood: readonly number[]
  format: ImportFormat
  /** The day of all reviews where the file has none. */
  givenDate: string | undefined
  /** A column that says how long ago, which is the date or, where only a day was given, could be. */
  ago: number | undefined
}

/** What a user had best know about columns that were not taken, in sentences. */
export function planNotes({
  headers,
  sample,
  fields,
  byWords,
  unused,
  notUnderstood,
  format,
  givenDate,
  ago,
}: Understood): string[] {
  const notes = notUnderstood.map((index) => {
    const words = [...new Set(filledCells(sample, index))].slice(0, 3).map(quoted).join(', ')
    return `the column "${headers[index]}" says nothing known about being published (${words}): all rows are imported as shown`
  })
  for (const field of byWords) {
    const header = headers[fields[field]?.[0] ?? -1] ?? ''
    notes.push(`the ${field} is taken from "${header}" by the words in its name (--map ${field}=…)`)
  }
  const dated = fields.date?.[0]
  const name = `"${headers[dated ?? ago ?? -1]}"`
  if (ago !== undefined && dated === ago)
    notes.push(`the date is taken from ${name}, which says how long ago (--map date=…)`)
  else if (ago !== undefined)
    notes.push(
      `${name} says how long ago each was written: --as-of with the day on which the file was made tells more than --date`,
    )
  else if (givenDate !== undefined && dated !== undefined)
    notes.push(`the dates are those of ${name}: the one of --date counts only without them (--map date=)`)
  if (format.leavesOut !== undefined) notes.push(format.leavesOut)
  const isFree = (index: number) => unused.includes(headers[index] ?? '')
  const isOurs = format.name === 'generic'
  const rating = fields.rating === undefined && isOurs ? likelyRating(headers, sample, isFree) : undefined
  if (rating !== undefined) notes.push(unrated(headers[rating] ?? '', headers))
  const author = fields.author === undefined && isOurs ? likelyAuthor(headers, sample, isFree) : undefined
  if (author !== undefined)
    notes.push(
      `"${headers[author]}" may name the authors and is not read so: all rows are imported as Anonymous (--map author=${JSON.stringify(headers[author])} takes it)`,
    )
  const halves = isOurs && fields.text !== undefined ? prosAndCons(headers, new Set(fields.text)) : undefined
  if (halves?.every((index) => isFree(index) && filledCells(sample, index).length > 0)) {
    const names = halves.map((index) => `"${headers[index]}"`).join(' and ')
    notes.push(`${names} hold words of the review too, which are left out`)
  }
  return notes
}

function unrated(header: string, headers: readonly string[]): string {
  const start = `"${header}" may be the rating and is not read as one`
  if (isGermanGrade(header, headers))
    return `${start}, since 1 is the best of German school grades: all rows are imported unrated. Turn the grades into stars of 1 to 5 first`
  if (scaleOfHeader(header) === 'other')
    return `${start}, since its scale is not of 5 or 10: all rows are imported unrated. Convert the column to 1 to 5 first`
  return `${start}: all rows are imported unrated (--map rating=${JSON.stringify(header)} takes it)`
}
