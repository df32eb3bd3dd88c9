/** A relevance floor as it is set, with two decimals at least. */
export function floorText(floor: number): string {
  const short = floor.toFixed(2)
  return Number(short) === floor ? short : String(floor)
}

/** A score with two decimals, or as many as it takes to show that it is below the floor: not `0.66 < 0.66`. */
export function scoreBesideFloor(score: number, floor: number): string {
  if (score >= floor) return score.toFixed(2)
  const digits = [2, 3, 4, 5].find((digits) => Number(score.toFixed(digits)) < floor) ?? 6
  return score.toFixed(digits)
}
