import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Hook } from '@oclif/core'

/** Replaces the bash completion that oclif's `autocomplete` has just written with ours. */
const hook: Hook<'postrun'> = async ({ Command, config }) => {
  if (Command.id !== 'autocomplete' && Command.id !== 'autocomplete:create') return
  const path = join(config.cacheDir, 'autocomplete', 'functions', 'bash', `${config.bin}.bash`)
  const commands = config.commands.filter((command) => !command.hidden)
  await writeFile(path, bashCompletion(config.bin, commands))
}

export default hook

export interface CompletedCommand {
  /** With colons, as in oclif: `reviews:push`. */
  id: string
  flags: Record<string, { type: 'boolean' | 'option'; options?: readonly string[]; allowNo?: boolean }>
}

/**
 * The completion script for bash 3.2 (as on macOS) and later. oclif's own treats every word as part of the command: it
 * completes no flags after the first argument, and neither file names nor flag values at all. Where this one has no
 * candidates, bash completes file names.
 */
export function bashCompletion(bin: string, commands: readonly CompletedCommand[]): string {
  const below = new Map<string, Set<string>>([['', new Set()]])
  for (const { id } of commands) {
    const words = id.split(':')
    for (const [i, word] of words.entries()) {
      const parent = words.slice(0, i).join(' ')
      below.set(parent, (below.get(parent) ?? new Set()).add(word))
    }
  }
  const name = (id: string) => id.replaceAll(':', ' ')
  const flags: Line[] = [['', ['--help', '--version']]]
  for (const { id, flags: known } of commands) flags.push([name(id), flagWords(known)])
  const values = commands.flatMap(({ id, flags }) =>
    Object.entries(flags).flatMap(([flag, { type, options }]): Line[] =>
      type === 'option' ? [[`${name(id)} --${flag}`, options ?? []]] : [],
    ),
  )
  const fn = `_${bin.replace(/\W/g, '_')}`
  return `# Completion of ${bin} for bash; written by: ${bin} autocomplete
${choose(`${fn}_commands`, [...below])}
${choose(`${fn}_flags`, flags)}
# Prints nothing for a flag whose values are free, and fails for a word that takes no value.
${choose(`${fn}_values`, values)}
${fn}_autocomplete() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command='' words i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case " $(${fn}_commands "$command") " in
      *" \${COMP_WORDS[i]} "*) command="\${command:+$command }\${COMP_WORDS[i]}" ;;
      *) break ;;
    esac
  done
  # bash takes --flag=value for three words.
  if [[ $cur == = ]]; then cur=''; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  if words=$(${fn}_values "$command $prev"); then :
  elif [[ $cur == -* ]]; then words=$(${fn}_flags "$command")
  elif (( i == COMP_CWORD )); then words=$(${fn}_commands "$command")
  else words=''
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}

complete -o default -F ${fn}_autocomplete ${bin}
`
}

type Line = [key: string, words: Iterable<string>]

/** A bash function that prints the words of a key; bash 3.2 has no associative arrays. */
function choose(name: string, lines: readonly Line[]): string {
  const cases = lines.map(([key, words]) => `    '${key}') echo '${[...words].join(' ')}' ;;`)
  return `${name}() {\n  case $1 in\n${cases.join('\n')}\n    *) return 1 ;;\n  esac\n}`
}

function flagWords(flags: CompletedCommand['flags']): string[] {
  const words = Object.entries(flags).flatMap(([flag, { allowNo }]) => [
    `--${flag}`,
    ...(allowNo === true ? [`--no-${flag}`] : []),
  ])
  return [...words, '--help']
}
