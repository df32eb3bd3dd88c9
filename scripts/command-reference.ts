/**
 * Generates the command reference in docs/cli.md from the commands: `npm run docs`. With `--check` it fails instead when
 * the page is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, Config, Help, toConfiguredId } from '@oclif/core'
import { replaceSection } from './page-section.ts'

const root = join(import.meta.dirname, '..')
export const CLI_PAGE = join(root, 'docs', 'cli.md')
const BEGIN = '<!-- commands: written by `npm run docs` -->'
const END = '<!-- end of commands -->'

class PlainHelp extends Help {
  of(command: Command.Loadable): string {
    return this.formatCommand(command)
  }
}

/** oclif's configuration from the sources, without a build. */
export async function loadConfig(): Promise<Config> {
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8').replaceAll('./dist/cli/', './src/'))
  return Config.load({ root, pjson })
}

/** The page with the section between the two markers regenerated. */
export async function commandReference(page: string): Promise<string> {
  const config = await loadConfig()
  const help = new PlainHelp(config, { maxWidth: 100, stripAnsi: true, usageHeader: 'USAGE' })
  const own = config.commands.filter((command) => !command.hidden && command.pluginName === config.name)
  const sections = own.map((command) => {
    const name = `${config.bin} ${toConfiguredId(command.id, config)}`
    const text = help
      .of({ ...command, aliases: [] })
      .trimEnd()
      .replace(/[ \t]+$/gm, '')
    return `### \`${name}\`\n\n\`\`\`\n${text}\n\`\`\``
  })
  return replaceSection(page, BEGIN, END, sections.join('\n\n'))
}

if (process.argv[1] === import.meta.filename) {
  const before = readFileSync(CLI_PAGE, 'utf8')
  const after = await commandReference(before)
  if (process.argv.includes('--check') && after !== before) {
    console.error('docs/cli.md is out of date: run npm run docs')
    process.exit(1)
  }
  writeFileSync(CLI_PAGE, after)
}
