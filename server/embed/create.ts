import { composed } from './composed.ts'
import type { Embedder } from './embedder.ts'
import { createOpenAiEmbedder, type OpenAiConfig, type OpenAiDeps } from './openai-compatible.ts'
import { createTransformersEmbedder, type TransformersConfig, type TransformersDeps } from './transformers.ts'

export type EmbedderConfig =
  | { provider: 'builtin' }
  | ({ provider: 'openai' } & OpenAiConfig)
  | ({ provider: 'transformers' } & TransformersConfig)

export type EmbedderDeps = OpenAiDeps & TransformersDeps

/** Opens the provider of the configuration. Only that one's code and files are loaded. */
export async function createEmbedder(config: EmbedderConfig, deps: EmbedderDeps): Promise<Embedder> {
  return composed(await open(config, deps))
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
