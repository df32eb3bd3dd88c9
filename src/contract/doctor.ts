import * as v from 'valibot'

/** The checks of this server; a later one may have others. */
export type ServerCheck =
  | 'database'
  | 'writing'
  | 'locks'
  | 'migrations'
  | 'clock'
  | 'collation'
  | 'distribution'
  | 'queue'
  | 'set aside'
  | 'model'
  | 'embedding'
  | 'scores'
  | 'memory'
  | 'disk'
  | 'origins'
  | 'network'
  | 'demo'
  | 'console'

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
