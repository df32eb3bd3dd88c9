import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { codeOf } from '../src/contract/code-of.ts'

export interface Problem {
  setting: string
  message: string
}

export interface ConfigFile {
  values: Record<string, string | undefined>
  problems: Problem[]
}

const NAME_IN_HOME = 'config.env'
const NOTHING: ConfigFile = { values: {}, problems: [] }

/**
 * Reads the one configuration file: `PULLQUOTE_CONFIG`, or `config.env` in the home if it exists. It has lines of
 * `NAME=value` with the names of environment variables, which take precedence.
 * @param known names of all settings; any other in the file is a mistake
 */
export function readConfigFile(env: NodeJS.ProcessEnv, home: string, known: readonly string[]): ConfigFile {
  const named = env.PULLQUOTE_CONFIG || undefined
  const path = named ?? join(home, NAME_IN_HOME)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    // A home that is no folder has none either, which is reported when it is opened.
    if (named === undefined && ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return NOTHING
    const reason = error instanceof Error ? error.message : String(error)
    // Nobody named the file in the home: either the home or the file cannot be read.
    const problem =
      named === undefined
        ? {
            setting: 'PULLQUOTE_HOME',
            message: `names a folder whose ${NAME_IN_HOME} this user cannot read: ${reason}`,
          }
        : { setting: 'PULLQUOTE_CONFIG', message: `names a file that cannot be read: ${reason}` }
    return { values: {}, problems: [problem] }
  }
  // Removes a byte-order mark, as editors on Windows write it, tabs outside quotes, which Node keeps in values, and blanks before a
  // comment, which it takes for part of the next name.
  const plain = text.replace(/^\ufeff/, '').replace(/(["'`])[^"'`]*\1|\t/g, (part) => (part === '\t' ? ' ' : part))
  const values = parseEnv(plain.replace(/^ +(?=#)/gm, ''))
  // What is in quotes, which may be several lines, cannot be mistaken for anything else.
  const lines = plain.replace(/(?<=^[^#=\n]*= *)(["'`])[\s\S]*?\1/gm, (value) => value.replace(/./g, '"')).split('\n')
  const problemAt = (pattern: RegExp, message: (line: number) => string): Problem[] => {
    const at = lines.findIndex((line) => pattern.test(line))
    return at === -1 ? [] : [{ setting: path, message: message(at + 1) }]
  }
  // The parser takes such a line for the beginning of the next name, and drops it at the end; one that begins with "=" ends it.
  const odd = problemAt(/^(?!\s*(?:#|$|"|[^=\s].*=))/, (line) => `has a line ${line} that is not NAME=value`)
  const oddLine = [
    ...odd,
    // The parser takes the rest for a comment even without a preceding blank: only the first half of a secret would remain.
    ...problemAt(
      /^[^#=]+=(?:#|[^#]*[^\s#="]#)/,
      (line) => `has a # in the value on line ${line}: put the value in quotes`,
    ),
    // What follows the second quote is dropped, and settings between two that belong to different values are.
    ...problemAt(
      /^(?:[^#=]*= *)?(?:"+ *[^\s#"]|['`])/,
      (line) => `has a quote on line ${line} that does not close at the end of the value`,
    ),
  ]
  // The parser keeps the last one, and whoever changes the first would wonder.
  const names = lines.flatMap((line) => /^\s*(?:export\s+)?([\w.-]+)\s*=/.exec(line)?.[1] ?? [])
  const repeated = new Set(names.filter((name, place) => names.indexOf(name) < place))
  for (const setting of repeated) oddLine.push({ setting, message: `is set more than once in ${path}` })
  const problems = Object.keys(values).flatMap((setting) => {
    if (setting !== 'PULLQUOTE_HOME' && known.includes(setting)) return []
    if (odd.length > 0 && !names.includes(setting)) return []
    const message = known.includes(setting)
      ? `must not be set in ${path}, since commands look there for the server: set it in the environment`
      : `is not a setting (${path})`
    return [{ setting, message }]
  })
  return { values, problems: [...oddLine, ...problems] }
}
