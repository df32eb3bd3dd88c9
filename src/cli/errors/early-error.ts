import { printable, printableJson } from '../output/text.ts'
import type { CliError } from './cli-error.ts'

/** An error as printed by `--json`. */
export function errorJson({ code, message, details, hints, requestId }: CliError): string {
  const error = {
    code,
    message,
    details: details.length > 0 ? details : undefined,
    hints: hints.length > 0 ? hints : undefined,
    request_id: requestId,
  }
  return printableJson({ error }, 2)
}

/** Prints an error that occurs before there is a command to report it, as JSON if the arguments ask for it. */
export function printEarlyError(failure: CliError, args: readonly string[]): void {
  const [hint = ''] = failure.hints
  const words = printable(`Error: ${failure.message}.\n  Try: ${hint}`)
  process.stderr.write(`${hasJsonFlag(args) ? errorJson(failure) : words}\n`)
}

/** By the rules of oclif. */
export function hasJsonFlag(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return (end === -1 ? args : args.slice(0, end)).includes('--json')
}
