import * as v from 'valibot'

/** One check of `pullquote doctor`, and what to do when it is not ok. */
export const finding = v.object({
  check: v.string(),
  status: v.picklist(['ok', 'warning', 'failure']),
  message: v.string(),
  hint: v.optional(v.string()),
})
export type Finding = v.InferOutput<typeof finding>

/** Response of `GET /operator/doctor`, this server's own route, outside `/v1`. */
export const doctorResponse = v.object({ findings: v.array(finding) })
