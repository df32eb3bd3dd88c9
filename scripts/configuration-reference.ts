/** Generates the table in docs/configuration.md and the env examples in templates/deploy: `npm run docs`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { configReference } from '../server/config-reference.ts'
import { replaceSection } from './page-section.ts'

const root = join(import.meta.dirname, '..')
export const CONFIGURATION_PAGE = join(root, 'docs', 'configuration.md')
const COMPOSE_ENV_EXAMPLE = join(root, 'templates', 'deploy', 'compose.env.example')
export const ENV_EXAMPLE = join(root, 'templates', 'deploy', '.env.example')
const BEGIN = '<!-- settings: written by `npm run docs` -->'
const END = '<!-- end of settings -->'

export function configurationPage(page: string): string {
  const rows = configReference().map(
    ({ name, description, default: value, secret }) =>
      `| \`${name}\` | ${value ? `\`${value}\`` : ''} | ${description}${secret ? ' Secret.' : ''} |`,
  )
  const table = ['| setting | default | meaning |', '|---|---|---|', ...rows].join('\n')
  return replaceSection(page, BEGIN, END, table)
}

/** The env example of the compose file: its two secrets, and the settings that it does not set itself. */
export function composeEnvExample(): string {
  const own = ['DATABASE_URL', 'PULLQUOTE_HOST', 'PULLQUOTE_PORT', 'PULLQUOTE_OPERATOR_TOKEN']
  return `# Copy this file to .env, which docker compose reads. These two settings are required:

# Password of the database. Letters and digits only, since it becomes part of an address: openssl rand -hex 16
POSTGRES_PASSWORD=

# Secret for projects, keys, backup and metrics, 16 characters or more: openssl rand -hex 32
PULLQUOTE_OPERATOR_TOKEN=

${listOfSettings(own)}`
}

/** The env example of a server that is started in another way. */
export function envExample(): string {
  return `# Copy this file to config.env in PULLQUOTE_HOME, or name it in PULLQUOTE_CONFIG. As .env it is not read.
${listOfSettings()}`
}

/** @param without settings to leave out, since they are set elsewhere */
function listOfSettings(without: readonly string[] = []): string {
  const blocks = configReference()
    .filter(({ name }) => name !== 'PULLQUOTE_HOME' && !without.includes(name))
    .map(({ name, description, default: value }) => {
      const text = description.replaceAll('`', '').replace(/(.{1,96})(?:\s+|$)/g, '# $1\n')
      return `${text}#${name}=${value ?? ''}`
    })
  return `# Settings of Pullquote. Remove the "#" in front of those that you want to set.\n\n${blocks.join('\n\n')}\n`
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(CONFIGURATION_PAGE, configurationPage(readFileSync(CONFIGURATION_PAGE, 'utf8')))
  writeFileSync(ENV_EXAMPLE, envExample())
  writeFileSync(COMPOSE_ENV_EXAMPLE, composeEnvExample())
}
