import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Hook } from '@oclif/core'
import { bashCompletion } from './bash-completion.ts'

/** Puts our completion for bash in the place of the one that `autocomplete` has just written. */
const hook: Hook<'postrun'> = async ({ Command, config }) => {
  if (Command.id !== 'autocomplete' && Command.id !== 'autocomplete:create') return
  const path = join(config.cacheDir, 'autocomplete', 'functions', 'bash', `${config.bin}.bash`)
  const commands = config.commands.filter((command) => !command.hidden)
  await writeFile(path, bashCompletion(config.bin, commands))
}

export default hook
