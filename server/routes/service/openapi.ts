import type { OpenRoute } from '../../http/request-pipeline.ts'
import { openApiDocument } from '../../openapi/document.ts'

/** Version of the API, as its description says it; the package's own version is another matter. */
const API_VERSION = '1.0.0'

/** `GET /openapi.json`. */
export function openApiRoute({ docsUrl }: { docsUrl: string }): OpenRoute {
  const document = openApiDocument(docsUrl.replace(/\/docs$/, ''), API_VERSION)
  return {
    method: 'GET',
    path: '/openapi.json',
    access: 'open',
    handle: async () => ({ status: 200, body: document }),
  }
}
