import type { WhoamiResponse } from '../../../src/contract/whoami.ts'
import { assertValid } from '../../http/api-error.ts'
import { type ApiRoute, noParameters } from '../../http/request-pipeline.ts'

/** `GET /whoami`, this server's own: of which project and environment the secret key is that was sent. */
export const whoami: ApiRoute = {
  method: 'GET',
  path: '/whoami',
  access: 'secret key',
  async handle(call) {
    assertValid(noParameters(call))
    const { keyId, kind, env, project } = call.key
    const body: WhoamiResponse = { key: { id: keyId, kind, env }, project: { id: project.id, name: project.name } }
    return { status: 200, body }
  },
}
