import { doctorResponse } from '../../../src/contract/doctor.ts'
import type { AppDeps } from '../../app-deps.ts'
import { json } from '../../http/response-rule.ts'
import { defineRoute, type Route } from '../../http/route.ts'

/** `GET /operator/doctor`: what is fine with this server, what is not, and what to do about it. */
export function operatorDoctorRoute({ doctor }: AppDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/operator/doctor',
    access: 'operator',
    time: 'own',
    responses: { 200: json(doctorResponse, 'A finding for each check.') },
    operationId: 'getDiagnosis',
    summary: 'What is well with this server, what is not, and what to do about it',
    description: 'Looks at each part anew, which may take some seconds, or a minute with a slow embedding service.',
    handle: async () => ({ status: 200, body: { findings: await doctor(true) } }),
  })
}
