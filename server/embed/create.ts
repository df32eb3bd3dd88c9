import { composeLetters } from '../compose-letters.ts'
import type { Embedder } from './embedder.ts'
import { createOpenAiEmbedder, type OpenAiConfig, type OpenAiDeps } from './openai-compatible.ts'
import { createTransformersEmbedder, type TransformersConfig, type TransformersDeps } from './transformers.ts'
import { addWordComparison } from './word-comparison.ts'

export type EmbedderConfig =
  | { provider: 'builtin' }
  | ({ provider: 'openai' } & OpenAiConfig)
  | ({ provider: 'transformers' } & TransformersConfig)

export type EmbedderDeps = OpenAiDeps & TransformersDeps

/** Opens the configured provider; with another model than the built-in one, that one compares words. */
export async function createEmbedder(config: EmbedderConfig, deps: EmbedderDeps): Promise<Embedder> {
  const embedder = await open(config, deps)
  if (config.provider === 'builtin') return withComposedLetters(embedder)
  const { createBuiltinEmbedder } = await import('./builtin/embedder.ts')
  return withComposedLetters(addWordComparison(embedder, await createBuiltinEmbedder()))
}

async function open(config: EmbedderConfig, deps: EmbedderDeps): Promise<Embedder> {
  switch (config.provider) {
    case 'openai':
      return createOpenAiEmbedder(config, deps)
    case 'transformers':
      return createTransformersEmbedder(config, deps)
    case 'builtin': {
      const { createBuiltinEmbedder } = await import('./builtin/embedder.ts')
      return createBuiltinEmbedder()
    }
  }
}

/**
 * Composes decomposed letters in texts (an "e" and its accent, the letters of a Korean syllable, as macOS writes them):
 * models know the composed ones, and take the parts for other words or for none.
 */
function withComposedLetters(embedder: Embedder): Embedder {
  const { languages, coverage } = embedder
  return {
    ...embedder,
    embed: (texts, kind, ...rest) =>
      embedder.embed(
        texts.map((text) => composeLetters(text)),
        kind,
        ...rest,
      ),
    languages: languages && { ...languages, possible: (text) => languages.possible(composeLetters(text)) },
    coverage: coverage && {
      read: (text) => coverage.read(composeLetters(text)),
      ask: (query, languages) => coverage.ask(composeLetters(query), languages),
    },
  }
}
