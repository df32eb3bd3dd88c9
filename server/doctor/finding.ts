import type { Finding, ServerCheck } from '../../src/contract/doctor.ts'

/** One finding of `pullquote doctor`. */
export function ok(check: ServerCheck, message: string): Finding {
  return { check, status: 'ok', message }
}

/** @param hint what to do */
export function warning(check: ServerCheck, message: string, hint: string): Finding {
  return { check, status: 'warning', message, hint }
}

/** @param hint what to do */
export function failure(check: ServerCheck, message: string, hint: string): Finding {
  return { check, status: 'failure', message, hint }
}
