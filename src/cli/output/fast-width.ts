/**
 * Latin, Greek and Cyrillic letters and the symbols that this program prints, all one column wide in any context, and
 * colour sequences, which take none. Excludes characters that combine with others (soft hyphens, marks, variation
 * selectors).
 */
const PLAIN =
  /^(?:[\u0020-\u007e\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0377\u0384-\u0481\u048a-\u052f\u2010-\u2027\u2030-\u205e\u20ac\u2260-\u2265\u2605\u2606]|\u001b\[[\d;]*m)*$/
const COLOURS = /\u001b\[[\d;]*m/g

/**
 * The width of a text in columns, as string-width counts it; undefined for texts that need that package: it loads the
 * tables of all emoji and of `Intl.Segmenter`, 0.03 s for what most texts do not contain.
 */
export function fastWidth(text: string): number | undefined {
  if (!PLAIN.test(text)) return undefined
  return text.includes('\u001b') ? text.replace(COLOURS, '').length : text.length
}
