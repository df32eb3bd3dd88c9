import { createEmbedder } from '../../server/embed/create.ts'
import { openTransformersModel } from '../../server/embed/transformers-model.ts'
import { silent } from '../database.ts'
import { startEmbeddingsServer } from './embeddings-server.ts'
import { fakeTransformers } from './fake-transformers.ts'
import { providerContract } from './provider-contract.ts'

const deps = { fetch, log: silent }

providerContract('builtin', async () => ({ embedder: await createEmbedder({ provider: 'builtin' }, deps) }))

providerContract('openai', async () => {
  const server = await startEmbeddingsServer()
  const config = { provider: 'openai', url: server.url, model: 'nomic-embed-text' } as const
  return { embedder: await createEmbedder(config, deps), close: () => server.close() }
})

providerContract('transformers', async () => ({
  embedder: await createEmbedder(
    { provider: 'transformers', model: 'made-up/model' },
    { ...deps, openModel: (model) => openTransformersModel(model, async () => fakeTransformers().module) },
  ),
}))
