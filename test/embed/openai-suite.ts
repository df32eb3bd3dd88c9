import type { Embedder } from '../../server/embed/embedder.ts'
import { createOpenAiEmbedder, type OpenAiConfig, type OpenAiDeps } from '../../server/embed/openai-compatible.ts'
import { silent } from '../database.ts'
import { suite } from '../suite.ts'
import { type EmbeddingsServer, startEmbeddingsServer } from './embeddings-server.ts'

/** A service of embeddings, anew for each test. */
class EmbeddingsService {
  server!: EmbeddingsServer

  /** An embedder that asks it; what that asked at first is forgotten. */
  async open(config: Partial<OpenAiConfig> = {}, deps: Partial<OpenAiDeps> = {}): Promise<Embedder> {
    const embedder = await createOpenAiEmbedder(
      { url: this.server.url, model: 'made-up', calibration: 0, ...config },
      { fetch, log: silent, ...deps },
    )
    this.server.requests.length = 0
    return embedder
  }
}

/** A suite in which each test finds a service of its own. */
export function openAiSuite(title: string) {
  const test = suite(title)
  const service = new EmbeddingsService()
  test.before.each(async () => {
    service.server = await startEmbeddingsServer()
  })
  test.after.each(() => service.server.close())
  return { test, service }
}
