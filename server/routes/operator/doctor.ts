import type { Doctor } from '../../doctor.ts'
import { assertValid } from '../../http/api-error.ts'
import { noParameters, type OperatorRoute } from '../../http/request-pipeline.ts'

/** `GET /operator/doctor`: what is well with this server, what is not, and what to do about it. */
export function operatorDoctorRoute(doctor: Doctor): OperatorRoute {
  return {
    method: 'GET',
    path: '/operator/doctor',
    access: 'operator',
    async handle(call) {
      assertValid(noParameters(call))
      return { status: 200, body: { findings: await doctor() } }
    },
  }
}
