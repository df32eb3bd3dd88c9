/** Writes docs/configuration.md's table and templates/deploy/.env.example from the settings: `npm run docs`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { configReference } from '../server/config-reference.ts'

const root = join(import.meta.dirname, '..')
export const CONFIGURATION_PAGE = join(root, 'docs', 'configuration.md')
export const ENV_EXAMPLE = join(root, 'templates', 'deploy', '.env.example')
const BEGIN = '<!-- settings: written by `npm run docs` -->'
const END = '<!-- end of settings -->'

export function configurationPage(page: string): string {
  const start = page.indexOf(BEGIN)
  const end = page.indexOf(END)
  if (start < 0 || end < start) throw new Error(`docs/configuration.md has lost its marks ${BEGIN} and ${END}`)
  const rows = configReference().map(
    ({ name, description, default: value, secret }) =>
      `| \`${name}\` | ${value === undefined ? '' : `\`${value}\``} | ${description}${secret ? ' Secret.' : ''} |`,
  )
  const table = ['| setting | default | meaning |', '|---|---|---|', ...rows].join('\n')
  return `${page.slice(0, start)}${BEGIN}\n\n${table}\n\n${page.slice(end)}`
}

export function envExample(): string {
  const blocks = configReference()
    .filter(({ name }) => name !== 'PULLQUOTE_HOME')
    .map(({ name, description, default: value }) => {
      const text = description.replaceAll('`', '').replace(/(.{1,96})(?:\s+|$)/g, '# $1\n')
      return `${text}#${name}=${value ?? ''}`
    })
  return `# Settings of Pullquote. Take the "#" away before those that you want to set.\n\n${blocks.join('\n\n')}\n`
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(CONFIGURATION_PAGE, configurationPage(readFileSync(CONFIGURATION_PAGE, 'utf8')))
  writeFileSync(ENV_EXAMPLE, envExample())
}
