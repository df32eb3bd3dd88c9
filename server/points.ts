/**
 * Points for the vowels of Hebrew and Arabic, and the stroke that lengthens an Arabic word: `excerpt_lexemes` reads words without
 * them.
 */
export const POINTS = /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/g
