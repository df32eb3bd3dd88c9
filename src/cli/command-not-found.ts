import { Errors, type Hook, toConfiguredId } from '@oclif/core'
import { closest } from './closest.ts'
import { EXIT } from './failure.ts'

/** Says which command may have been meant; exit 2. */
const hook: Hook<'command_not_found'> = async ({ id, config }) => {
  const known = config.commands
    .filter((command) => !command.hidden)
    .map((command) => toConfiguredId(command.id, config))
  const words = toConfiguredId(id, config)
  const near =
    closest(words, known) ??
    closest(words.split(' ')[0] ?? words, [...new Set(known.map((name) => name.split(' ')[0] ?? name))])
  const hint = near === undefined ? `see: ${config.bin} --help` : `did you mean "${config.bin} ${near}"?`
  process.stderr.write(`Error: there is no command "${words}".\n  Try: ${hint}\n`)
  throw new Errors.ExitError(EXIT.usage)
}

export default hook
