const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** What `String.prototype.trim` takes for white space, by UTF-16 code unit. */
export function isSpace(unit: number): boolean {
  if (unit <= 32) return unit === 32 || (unit >= 9 && unit <= 13)
  if (unit < 0x1680) return unit === 0xa0
  return (
    (unit >= 0x2000 && unit <= 0x200a) ||
    unit === 0x1680 ||
    unit === 0x2028 ||
    unit === 0x2029 ||
    unit === 0x202f ||
    unit === 0x205f ||
    unit === 0x3000 ||
    unit === 0xfeff
  )
}

/** Letters, digits and marks that never join with what stands before them: a grapheme can be reckoned from here. */
function standsAlone(unit: number): boolean {
  if (unit < 0x300) return unit >= 0x20 && unit !== 0xa9 && unit !== 0xad && unit !== 0xae
  // Greek and Cyrillic letters, kana, Han and their punctuation; combining and pictographic ones are left out.
  return (
    (unit >= 0x391 && unit <= 0x481) ||
    (unit >= 0x3001 && unit <= 0x3029) ||
    (unit >= 0x3041 && unit <= 0x3096) ||
    (unit >= 0x30a1 && unit <= 0x30ff) ||
    (unit >= 0x4e00 && unit <= 0x9fff)
  )
}

/**
 * Whether a grapheme cluster (UAX #29) ends at `at`. Segmenting a whole text for this costs 30 times the sentence
 * segmentation, so only the stretch back to the last code unit that joins with nothing before it is segmented.
 *
 * @param from a known boundary at or before `at`, which bounds the look back
 */
export function isGraphemeBoundary(text: string, at: number, from = 0): boolean {
  if (at <= from || at >= text.length) return true
  const before = text.charCodeAt(at - 1)
  const after = text.charCodeAt(at)
  if (standsAlone(before) && standsAlone(after)) return true
  let start = at - 1
  while (start > from && !standsAlone(text.charCodeAt(start))) start--
  // A character that joins forwards (Arabic number sign) may stand before a letter that stands alone; the letter's own
  // cluster still ends where it would, so starting at the letter is right.
  const window = text.slice(start, at + 2)
  return graphemes.segment(window).containing(at - start)?.index === at - start
}

/** The grapheme boundaries strictly inside `text[start, end)`, where both ends are boundaries. */
export function* graphemeBoundaries(text: string, start: number, end: number): Generator<number> {
  for (const { index } of graphemes.segment(text.slice(start, end))) if (index > 0) yield start + index
}
