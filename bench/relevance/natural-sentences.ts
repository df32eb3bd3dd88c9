const SHORTEST = 45

/** Sentences that have a vector of their own, as in the product; simple breaks, so that the judged pool never moves. */
export function splitIntoSentences(text: string): string[] {
  return text.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => sentence.length >= SHORTEST)
}
