/** What the parser of the command line throws, in the words of this command line. */

interface NamedValue {
  name: string
  description?: string
  options?: string[]
}

/**
 * @param error of @oclif/core
 * @returns a sentence without a full stop
 */
export function parserMessage(error: Error): string {
  const { name: kind } = error.constructor
  if (kind === 'RequiredArgsError') {
    const missing = namedValues(error)
    if (missing.length > 0) return missing.map(missingArgument).join('; ')
  }
  if (kind === 'UnexpectedArgsError') {
    const [first = '', ...more] = strings(error, 'args')
    const others = more.length > 0 ? ` (and ${more.join(', ')})` : ''
    return `"${first}"${others} is one word too many: put a text of several words in quotes`
  }
  if (kind === 'NonExistentFlagsError') {
    const flags = strings(error, 'flags')
    return `there is no flag ${flags.join(', ')}`
  }
  const lines = error.message.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('See more help'))
  const text = lines
    .join(' ')
    .replace(/\s+/g, ' ')
    .replace(/^The following errors? occurred: /, '')
    .replace(/^Parsing (--[\w-]+) /, '$1: ')
    .trim()
  return text
    .replace(/^Flag (--[\w-]+) /, '$1 ')
    .replace(/Missing required flag ([\w-]+)(?= Missing|$)/g, '--$1 is missing,')
    .replace(/,$/, '')
    .replace(/^All of the following must be provided when using (--[\w-]+): (.+)$/, '$1 goes with $2 only')
    .replace(/^(--[\w-]+)=.* cannot also be provided when using (--[\w-]+)$/, '$1 and $2 do not go together')
    .replace(/^Expected (--[\w-]+=.*) to be one of: /, '$1 is none of: ')
    .replace(/^Expected (.*) to be one of: /, '"$1" is none of: ')
    .replace(/^(--[\w-]+): Expected an integer but received: (.*)$/, '$1 takes a whole number, and "$2" is none')
    .replace(/^(--[\w-]+): Expected an integer (.+) but received: (.*)$/, '$1 takes a whole number $2, and not $3')
}

function missingArgument({ name, description, options }: NamedValue): string {
  const what = options ? `one of ${options.join(', ')}` : (description ?? '')
  return `${name.toUpperCase()} is missing${what === '' ? '' : `: ${what}`}`
}

function namedValues(error: object): NamedValue[] {
  return 'args' in error && Array.isArray(error.args) ? error.args : []
}

function strings(error: object, field: 'args' | 'flags'): string[] {
  const found: unknown = field in error ? Reflect.get(error, field) : []
  return Array.isArray(found) ? found.map(String) : []
}
