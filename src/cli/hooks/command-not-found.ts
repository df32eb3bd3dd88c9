import { Errors, type Hook, toConfiguredId } from '@oclif/core'
import { EXIT, usageError } from '../errors/cli-error.ts'
import { closest } from '../errors/closest.ts'
import { printEarlyError } from '../errors/early-error.ts'

/** Suggests the command that was probably meant; exit code 2. */
const hook: Hook<'command_not_found'> = async ({ id, argv = [], config }) => {
  const refuse = (message: string, hint: string): never => {
    printEarlyError(usageError(message, hint), [id, ...argv])
    throw new Errors.ExitError(EXIT.usage)
  }
  if (id.startsWith('-')) {
    refuse('the command must come before its flags', `${config.bin} COMMAND ${id}`)
  }
  const known = config.commands
    .filter((command) => !command.hidden)
    .map((command) => toConfiguredId(command.id, config))
  const topics = [...new Set(known.map((name) => name.split(' ')[0] ?? name))]
  // Words after a mistyped command are its arguments.
  const [first = '', second] = toConfiguredId(id, config).split(' ')
  const topic = topics.includes(first) ? first : closest(first, topics)
  const verb = topic && second && closest(second, verbsOf(topic, known))
  // oclif takes what follows a command without arguments for a part of its name, as in `insights hotel`.
  const called = [`${first} ${second}`, ...(verb ? [] : [first])].find((name) => known.includes(name))
  if (called !== undefined) refuse(`"${called}" takes no arguments, only flags`, `${config.bin} ${called} --help`)
  // A command without its topic: `import reviews.csv`.
  const ofTopics = known.filter((name) => name.endsWith(` ${first}`))
  const whole = ofTopics.length > 1 ? ofTopics.find((name) => name === `reviews ${first}`) : ofTopics[0]
  const near = verb ? `${topic} ${verb}` : (closest(first, known) ?? topic ?? whole)
  const typed = second !== undefined && (verb || topic === first) ? `${first} ${second}` : first
  const hint = near === undefined ? `${config.bin} --help` : `did you mean "${config.bin} ${near}"?`
  refuse(`there is no command "${typed}"`, hint)
}

function verbsOf(topic: string, known: readonly string[]): string[] {
  return known.filter((name) => name.startsWith(`${topic} `)).map((name) => name.slice(topic.length + 1))
}

export default hook
