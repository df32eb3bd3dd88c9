import { whoamiResponse } from '../../../src/contract/whoami.ts'
import { json } from '../../http/response-rule.ts'
import { defineRoute } from '../../http/route.ts'

/** `GET /whoami`, not part of the contract: the project and environment of the secret key. */
export const whoami = defineRoute({
  method: 'GET',
  path: '/whoami',
  access: 'secret key',
  responses: { 200: json(whoamiResponse, 'Its id, project and environment.') },
  operationId: 'whoAmI',
  summary: 'Of which project and environment a secret key is',
  description: 'Tells whether a key is good before anything is done with it.',
  async handle({ key: { keyId, kind, env, project } }) {
    return { status: 200, body: { key: { id: keyId, kind, env }, project: { id: project.id, name: project.name } } }
  },
})
