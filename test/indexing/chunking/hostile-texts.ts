/** Characters that some pattern, table or segmenter treats in a way of its own; each is repeated, alone and in company. */
const SINGLE = [
  ...' \t\n\r\u00a0\u3000\u2028\ufeff\u200b',
  ...'.!?…\'"’()[],;:-–—/\\@&<>#*_~|+=%$^`{}€',
  ...'0aZñßéŁжЖ。！？；：，、・ー中あア한अກ\u0627؛،؟ـא\u1000\u1780',
  // Marks, joiners, formats, jamo, and what joins forwards
  ...'\u0301\u0308\u0483\u20e3\u093e\u094d\u0e31\u0e33\u0ecd\u200c\u200d\ufe0f\u00ad\u1100\u1161\u11a8\u0600\u070f\u0d4e',
  ...'😀🏽🇩❤🏴',
]
const REPEATED = [
  // Pairs and triples of white space, ends of sentences, closing marks and capitals
  ...[
    ' .',
    '. ',
    '.a',
    'A.',
    'Aa.',
    'aa.Aa',
    '?! ',
    "' ",
    ') ',
    '. )',
    '.)',
    '.’',
    ' (',
    ' -',
    ' - ',
    'a - ',
    '." ',
    ';"',
  ],
  ...[
    '\n ',
    ' \t\u00a0',
    '\r\n',
    '.\n',
    '!\n',
    '。 ',
    '… ',
    '，',
    '中。',
    ', ',
    ' ,',
    ' and',
    'and ',
    ' u ',
    ' i ',
    'Mr. ',
    'z. B. ',
  ],
  ...[
    '1.',
    '1. ',
    '1,',
    '1:',
    ':)',
    ' | ',
    'a | ',
    'A : ',
    ' – ',
    '@a ',
    "'a",
    "n't ",
    "l'",
    'wi-fi ',
    "qu'",
    'https://a.b/',
  ],
  // Marks on spaces, emoji sequences, flags, keycaps
  ...[
    ' \u0301',
    'a\u0301',
    'a\u0301\u0301\u0301',
    '\u0301 ',
    '. \u0301',
    ' \u200d',
    '👨‍👩‍👧‍👦',
    '🇩🇪',
    '👍🏽',
    '😀 ',
    '😀\ufe0f ',
    '#\ufe0f\u20e3',
  ],
  // Words of many languages, with and without spaces
  ...[
    'a b',
    'Ab cd ',
    'is Ab ',
    'hotel ',
    'not good but ',
    'exellent ',
    'abcdefghijklm',
    '日本語',
    'ひらがな',
    'カタカナ',
    '한국어 ',
  ],
  ...[
    'ภาษาไทย',
    'กั',
    'ខ្មែរ',
    'မြန်မာ',
    'ລາວ',
    'हिन्दी ',
    'क्ष',
    'العربية ',
    'עברית ',
    'русский ',
    'ελληνικά ',
    'ÄäÖö',
    '\u0600a',
    '\u1100\u1161',
  ],
  // A short run many times over
  `a${' '.repeat(50)}`,
  `a. ${' '.repeat(50)}`,
  `${'.'.repeat(50)}Aa`,
  `a.${"'".repeat(50)}`,
  `${'x'.repeat(299)} `,
]

/** Texts that make careless patterns slow, by name, each of `length` UTF-16 units and well-formed. */
export function hostileTexts(length: number): Map<string, string> {
  const texts = new Map<string, string>()
  const add = (before: string, unit: string, after: string) => {
    const inside = before + unit.repeat(Math.ceil(length / unit.length))
    const text = (inside.slice(0, length - after.length) + after).replace(/\p{Cs}/gu, 'x')
    texts.set(`${before}${JSON.stringify(unit.slice(0, 12))} × n${after}`, text)
  }
  for (const unit of SINGLE) {
    add('a', unit, 'b')
    if (unit.trim() === '') add('aa.', unit, ' \u0301b')
  }
  for (const unit of REPEATED) add('', unit, '')
  return texts
}
