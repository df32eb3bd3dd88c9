import { shellQuote } from '../../contract/shell-quote.ts'
import { closest } from './closest.ts'

/**
 * Rewords an error of oclif's argument parser.
 *
 * @param error from @oclif/core
 * @returns a sentence without a full stop
 */
export function parserMessage(error: Error & { args?: unknown; flags?: unknown }): string {
  const { name: kind } = error.constructor
  const args = Array.isArray(error.args) ? error.args : []
  if (kind === 'RequiredArgsError' && args.length > 0) return args.map(missingArgument).join('; ')
  if (kind === 'UnexpectedArgsError') {
    const [first = '', ...more] = args.map(String)
    const others = more.length > 0 ? ` (and ${more.join(', ')})` : ''
    return `unexpected argument "${first}"${others}: put a text of several words in quotes`
  }
  if (kind === 'NonExistentFlagsError') return `there is no flag ${unknownFlags(error).join(', ')}`
  const lines = error.message.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('See more help'))
  return lines
    .join(' ')
    .replace(/\s+/g, ' ')
    .replace(/^The following errors? occurred: /, '')
    .replace(/^Parsing (--[\w-]+) /, '$1: ')
    .trim()
    .replace(/^Flag (--[\w-]+) /, '$1 ')
    .replace(/Missing required flag ([\w-]+)(?= Missing|$)/g, '--$1 is missing,')
    .replace(/,$/, '')
    .replace(/^All of the following must be provided when using (--[\w-]+): (.+)$/, '$1 can only be used with $2')
    .replace(/^(--[\w-]+)=.* cannot also be provided when using (--[\w-]+)$/, '$1 cannot be used with $2')
    .replace(/^Expected (--[\w-]+=.*) to be one of: /, '$1 is not one of: ')
    .replace(
      /^(--source=.* is not one of: .*, custom)$/,
      '$1 (reviews of any other platform are custom; an import names it with --set-metadata platform=NAME)',
    )
    .replace(/^Expected (.*) to be one of: /, '"$1" is not one of: ')
    .replace(/^(--[\w-]+): Expected an integer but received: ?(.*)$/, '$1 must be a whole number, not "$2"')
    .replace(/^(--[\w-]+): Expected an integer (.+) but received: (.*)$/, '$1 must be a whole number $2, not $3')
}

function missingArgument(argument: { name: string; description?: string; options?: string[] }): string {
  const { name, description, options } = argument
  const what = options ? `one of ${options.join(', ')}` : (description ?? '')
  return `${name.toUpperCase()} is missing${what === '' ? '' : `: ${what}`}`
}

/** The unknown flags of a parser error; none for its other errors. */
function unknownFlags(error: Error & { flags?: unknown }): string[] {
  return error.constructor.name === 'NonExistentFlagsError' && Array.isArray(error.flags) ? error.flags.map(String) : []
}

/** For each unknown flag, the one that was meant, or how to give what only looks like a flag. */
export function parserHints(
  error: Error,
  command: { name: string; flags: readonly string[]; takesArguments: boolean },
): string[] {
  return unknownFlags(error).flatMap((flag) => {
    const near = closest(flag.replace(/^-+/, '').replace(/=.*/s, ''), command.flags)
    if (near !== undefined) return [`did you mean --${near}?`]
    const isOnlyFlag = /^--[a-z-]+(?:=|$)/.test(flag)
    return command.takesArguments && !isOnlyFlag
      ? [`if it is a name or a text that begins with a dash: ${command.name} -- ${shellQuote(flag)}`]
      : []
  })
}
