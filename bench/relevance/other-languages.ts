import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Made-up review sentences, per topic a query and three sentences about it, praise and blame both; the topics stand in the
 * same order in every language. Format of `languages/*.txt` and `by-spelling/*.txt`: `query | sentence | sentence | sentence`.
 */
export interface LanguageSet {
  language: string
  documents: string[]
  queries: { text: string; relevant: Set<number> }[]
}

function read(code: string, language: string, folder = 'languages'): LanguageSet {
  const lines = readFileSync(join(import.meta.dirname, folder, `${code}.txt`), 'utf8')
  const documents: string[] = []
  const queries = lines
    .trim()
    .split('\n')
    .map((line) => {
      const [text = '', ...sentences] = line.split(' | ')
      const first = documents.push(...sentences) - sentences.length
      return { text, relevant: new Set(sentences.map((_, i) => first + i)) }
    })
  return { language, documents, queries }
}

export const ENGLISH = read('en', 'English')
export const OTHER_LANGUAGES: LanguageSet[] = [
  read('de', 'German'),
  read('fr', 'French'),
  read('es', 'Spanish'),
  read('it', 'Italian'),
  read('nl', 'Dutch'),
  read('pt', 'Portuguese'),
]
/** Languages that the built-in model compares by spelling only. */
export const BY_SPELLING: LanguageSet[] = [
  ['ja', 'Japanese'],
  ['zh', 'Chinese'],
  ['ko', 'Korean'],
  ['th', 'Thai'],
  ['ru', 'Russian'],
  ['ar', 'Arabic'],
  ['el', 'Greek'],
  ['sv', 'Swedish'],
  ['pl', 'Polish'],
  ['tr', 'Turkish'],
  ['cs', 'Czech'],
  ['fi', 'Finnish'],
].map(([code = '', language = '']) => read(code, language, 'by-spelling'))
