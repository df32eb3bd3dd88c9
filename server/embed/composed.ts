import type { Embedder } from './embedder.ts'

/**
 * The same embedder, which reads letters that a text has in parts (an "e" and its accent, a Korean syllable's letters, as macOS
 * writes them) as whole ones: models know those, and take the parts for other words, or for none.
 */
export function composed(embedder: Embedder): Embedder {
  const { languages, coverage } = embedder
  return {
    ...embedder,
    embed: (texts, kind, signal) => embedder.embed(texts.map(whole), kind, signal),
    languages: languages && { ...languages, possible: (text) => languages.possible(whole(text)) },
    coverage: coverage && { read: (text) => coverage.read(whole(text)), ask: (query) => coverage.ask(whole(query)) },
  }
}

function whole(text: string): string {
  return text.normalize('NFC')
}
