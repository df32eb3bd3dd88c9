import * as v from 'valibot'

/** One thing that was looked at by `pullquote doctor`, and what to do when it is not well. */
export const finding = v.object({
  check: v.string(),
  status: v.picklist(['ok', 'warning', 'failure']),
  message: v.string(),
  hint: v.optional(v.string()),
})
export type Finding = v.InferOutput<typeof finding>

/** What `GET /operator/doctor` answers: this server's own route, outside `/v1`. */
export const doctorResponse = v.object({ findings: v.array(finding) })
