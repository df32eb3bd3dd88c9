import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execute as run } from '@oclif/core'
import { CliError, EXIT, fileError, toCliError, usageError } from './errors/cli-error.ts'
import { hasJsonFlag, printEarlyError } from './errors/early-error.ts'

/** The part of package.json that oclif reads, with places below the built command line. */
interface Described {
  name: string
  version: string
  oclif: { plugins?: string[]; hooks?: Record<string, string> }
}

/** What the build writes of each command. */
interface Manifest {
  commands: Record<string, { id: string; aliases: string[] }>
}

const HELP = new Set(['--help', '-h'])

/**
 * What bin/run.js runs: one entry, so that the build can put oclif beside the commands that share it. The commands are
 * those of the manifest that the build wrote, so that only the one that is called is loaded. What oclif's plugins do
 * (`help`, `autocomplete`) is looked for only where the first word is none of ours.
 *
 * @param packageRoot folder of package.json
 */
export async function execute(packageRoot: string): Promise<void> {
  try {
    process.cwd()
  } catch {
    // What needs it, as the embedded database does, would tell of files that are missing.
    const fields = { code: 'no_folder', hints: ['go to another one: cd'] }
    printEarlyError(new CliError('the current folder is not there any more', fields), process.argv)
    process.exitCode = EXIT.failed
    return
  }
  const root = join(packageRoot, 'dist', 'cli')
  const commands = join(root, 'commands')
  const text = readFileSync(join(packageRoot, 'package.json'), 'utf8').replaceAll('./dist/cli/', './')
  const pjson: Described = JSON.parse(text)
  const args = helpLast(process.argv.slice(2))
  const words = wordsOf(args)
  if (words[0] !== undefined && isThere(commands, words.slice(0, 1))) {
    pjson.oclif.plugins = []
    delete pjson.oclif.hooks?.postrun
  }
  // For the help of what there is not oclif has an error of its own, which suggests nothing.
  const isMistyped = words.length > 0 && words[0] !== 'autocomplete' && !isThere(commands, words)
  const [topic = ''] = words
  const isForData = hasJsonFlag(args) && !args.some((arg) => HELP.has(arg))
  if (isForData && words.length === 1 && isTopicAlone(root, topic)) {
    // oclif would print its help where data is waited for.
    printEarlyError(usageError(`"${topic}" is no command by itself`, `see: pullquote ${topic} --help`), args)
    process.exitCode = EXIT.usage
    return
  }
  // Help and the version are written without a command of ours; oclif's own listener would throw where nobody catches it.
  process.stdout.removeAllListeners('error').on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return
    printEarlyError(fileError(error, 'standard output') ?? toCliError(error), args)
    process.exit(EXIT.failed)
  })
  const asked = isMistyped ? args.filter((arg) => !HELP.has(arg)) : args
  await run({ args: asked, loadOptions: { root, pjson, userPlugins: false } })
}

/** `help query` as `query --help`. */
function helpLast(args: string[]): string[] {
  const [first, second, ...more] = args
  return first === 'help' && second !== undefined && !second.startsWith('-') ? [second, ...more, '--help'] : args
}

/** The words before the first flag, with `reviews:list` split into its parts. */
function wordsOf(args: readonly string[]): string[] {
  const flag = args.findIndex((arg) => arg.startsWith('-'))
  const [first, ...more] = flag === -1 ? args : args.slice(0, flag)
  return first === undefined ? [] : [...first.split(':'), ...more]
}

/** Whether the words begin with a command, or are a topic. */
function isThere(folder: string, [word, ...more]: readonly string[]): boolean {
  if (word === undefined) return true
  if (!/^[a-z-]+$/.test(word)) return false
  if (existsSync(join(folder, `${word}.js`))) return true
  return existsSync(join(folder, word)) && isThere(join(folder, word), more)
}

/** Whether the word names no command, but what commands have in common: `projects`, and not `profiles`, which lists. */
function isTopicAlone(root: string, word: string): boolean {
  if (!existsSync(join(root, 'commands', word))) return false
  const { commands }: Manifest = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'))
  return !Object.values(commands).some(({ id, aliases }) => id === word || aliases.includes(word))
}
