import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execute as run } from '@oclif/core'
import { CliError, EXIT, fileError, toCliError, usageError } from './errors/cli-error.ts'
import { hasJsonFlag, printEarlyError } from './errors/early-error.ts'

/** The part of package.json that oclif reads, with paths below the built command line. */
interface PackageJson {
  name: string
  version: string
  oclif: { plugins?: string[]; hooks?: Record<string, string> }
}

/** The part of the manifest that the build writes. */
interface Manifest {
  commands: Record<string, { id: string; aliases: string[] }>
}

const HELP = new Set(['--help', '-h'])

/**
 * The entry point of bin/run.js: a single one, so that the build can bundle oclif with the commands that share it. The
 * commands come from the manifest that the build wrote, so that only the one called is loaded. oclif's plugins (`help`,
 * `autocomplete`) are loaded only when the first word is not one of ours.
 *
 * @param packageRoot folder of package.json
 */
export async function execute(packageRoot: string): Promise<void> {
  try {
    process.cwd()
  } catch {
    // Whatever needs it, such as the embedded database, would report missing files instead.
    const fields = { code: 'no_folder', hints: ['change to another one: cd'] }
    printEarlyError(new CliError('the current folder no longer exists', fields), process.argv)
    process.exitCode = EXIT.failed
    return
  }
  const root = join(packageRoot, 'dist', 'cli')
  const commands = join(root, 'commands')
  const text = readFileSync(join(packageRoot, 'package.json'), 'utf8').replaceAll('./dist/cli/', './')
  const pjson: PackageJson = JSON.parse(text)
  const args = moveHelpLast(process.argv.slice(2))
  const words = wordsOf(args)
  if (words[0] !== undefined && isKnown(commands, words.slice(0, 1))) {
    pjson.oclif.plugins = []
    delete pjson.oclif.hooks?.postrun
  }
  // With --help, oclif reports an unknown command without suggesting anything, so the flag is dropped below.
  const isMistyped = words.length > 0 && words[0] !== 'autocomplete' && !isKnown(commands, words)
  const [topic = ''] = words
  const expectsData = hasJsonFlag(args) && !args.some((arg) => HELP.has(arg))
  if (expectsData && words.length === 1 && isTopicOnly(root, topic)) {
    // oclif would print the topic's help where data is expected.
    printEarlyError(usageError(`"${topic}" is not a command by itself`, `pullquote ${topic} --help`), args)
    process.exitCode = EXIT.usage
    return
  }
  // Help and the version are printed without a command of ours, and oclif's own listener would throw uncaught.
  process.stdout.removeAllListeners('error').on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return
    printEarlyError(fileError(error, 'standard output') ?? toCliError(error), args)
    process.exit(EXIT.failed)
  })
  const asked = isMistyped ? args.filter((arg) => !HELP.has(arg)) : args
  await run({ args: asked, loadOptions: { root, pjson, userPlugins: false } })
}

/** Turns `help query` into `query --help`. */
function moveHelpLast(args: string[]): string[] {
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
function isKnown(folder: string, [word, ...more]: readonly string[]): boolean {
  if (word === undefined) return true
  if (!/^[a-z-]+$/.test(word)) return false
  if (existsSync(join(folder, `${word}.js`))) return true
  return existsSync(join(folder, word)) && isKnown(join(folder, word), more)
}

/** Whether the word is a topic but not also a command: true for `projects`, false for `profiles`, which lists. */
function isTopicOnly(root: string, word: string): boolean {
  if (!existsSync(join(root, 'commands', word))) return false
  const { commands }: Manifest = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'))
  return !Object.values(commands).some(({ id, aliases }) => id === word || aliases.includes(word))
}
