/** What Trustpilot's pages write below a review, before a day, by language; programs that copy them append it to the text. */
const LABELS = [
  'Date of experience',
  'Datum der Erfahrung',
  "Date de l'expérience",
  'Date de l’expérience',
  'Fecha de la experiencia',
  "Data dell'esperienza",
  'Data dell’esperienza',
  'Datum van ervaring',
  'Data da experiência',
  'Dato for oplevelse',
  'Datum för upplevelse',
]
const DIGITS = { from: 0x30, to: 0x39 }
/** Longer than any label with its day. */
const LONGEST = 64
const DAY = /^\s?:\s*(?=[\p{L}\d])([\p{L}\p{M}\d ,.]{5,29}\d)$/u

/**
 * Splits a text from the label and day at its very end.
 * @returns undefined when it does not end so
 */
export function splitExperienceDate(text: string): { text: string; day: string } | undefined {
  const trimmed = text.trimEnd()
  // Nearly every text leaves here.
  const last = trimmed.charCodeAt(trimmed.length - 1)
  if (!(last >= DIGITS.from && last <= DIGITS.to)) return undefined
  const from = Math.max(0, trimmed.length - LONGEST)
  const tail = trimmed.slice(from)
  for (const label of LABELS) {
    const at = tail.lastIndexOf(label)
    const day = at === -1 ? undefined : DAY.exec(tail.slice(at + label.length))?.[1]
    if (day !== undefined && /\d{4}/.test(day)) return { text: trimmed.slice(0, from + at).trimEnd(), day }
  }
  return undefined
}
