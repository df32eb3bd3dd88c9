/** Damage that a program did to a text before it was imported, as far as the text shows it. */
export type TextDamage = 'damaged_text' | 'question_marks' | 'written_breaks' | 'written_slashes' | 'markup'

/** Letters lost by saving in an encoding without them: `?niadanie`, `p?yta`. Nobody types that twice. */
const LOST = /(?:^|[\s(])\?\p{L}|\p{Ll}\?\p{Ll}/gu
const LETTER = /[\p{L}\p{N}]/u
/** Not between a letter and a lower-case one, as in "day\night". */
const WRITTEN_BREAK = /(?<!\p{L})\\(?:r\\)?n|\\n(?!\p{Ll})/u

/** `it\'s`, as PHP's addslashes writes. */
const WRITTEN_SLASH = /\p{L}\\+'\p{L}/u

/** BBCode, by the end of what it formats, or a link of Markdown. Single signs (`*`, `#`) are what people type as well. */
const MARKUP = /\[\/(?:b|i|u|s|h[1-6]|url|img|quote|list|color|size|code|strike|spoiler)\]|\]\(https?:\/\//i

/** The kind of damage in a text; undefined when there is none. */
export function detectDamage(text: string): TextDamage | undefined {
  if (text.includes('\ufffd')) return 'damaged_text'
  if (text.includes('?') && (isAllLost(text) || (text.match(LOST)?.length ?? 0) > 1)) return 'question_marks'
  if (text.includes('\\n') && WRITTEN_BREAK.test(text)) return 'written_breaks'
  if (text.includes("\\'") && WRITTEN_SLASH.test(text)) return 'written_slashes'
  return text.includes(']') && MARKUP.test(text) ? 'markup' : undefined
}

/** Two searches, since one pattern for both takes time that grows with the square of a run of question marks. */
function isAllLost(text: string): boolean {
  return text.includes('???') && !LETTER.test(text)
}
