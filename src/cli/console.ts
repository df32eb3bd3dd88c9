import { spawn } from 'node:child_process'
import type { Operator } from '../client/operator.ts'
import type { ListedConsoleLink } from '../contract/console-link.ts'
import { CliError } from './errors/cli-error.ts'
import { findUnrevoked } from './ids.ts'
import { displayId, formatDuration, momentText } from './output/format.ts'
import { table } from './output/table.ts'
import type { Terminal } from './output/terminal.ts'
import { oneLine } from './output/text.ts'

/** Whether a console link can still be used to sign in, or has live sessions. */
export function isLive(link: ListedConsoleLink, now: Date): boolean {
  if (link.revoked_at !== null) return false
  const canSignIn = new Date(link.expires_at) > now && (link.project !== null || link.used_at === null)
  return canSignIn || link.sessions > 0
}

export function linkTable(links: readonly ListedConsoleLink[], now: Date, terminal: Terminal): string {
  return table(
    links,
    [
      { heading: 'ID', value: ({ id }) => displayId(id, terminal) },
      { heading: 'FOR', value: ({ project }) => (project === null ? '(operator)' : oneLine(project)), flexible: true },
      { heading: 'MADE', value: ({ created_at }) => momentText(created_at, now, terminal) },
      { heading: 'LAST SIGN-IN', value: ({ used_at }) => momentText(used_at, now, terminal) },
      { heading: 'SIGNED IN', value: ({ sessions }) => String(sessions), align: 'right' },
      { heading: 'ENDS', value: (link) => endOf(link, now, terminal) },
    ],
    terminal,
  )
}

function endOf(link: ListedConsoleLink, now: Date, terminal: Terminal): string {
  if (link.revoked_at !== null) return 'revoked'
  if (link.project === null && link.used_at !== null) return 'used'
  const seconds = (Date.parse(link.expires_at) - now.getTime()) / 1000
  if (seconds <= 0) return 'over'
  return terminal.interactive ? `in ${formatDuration(seconds)}` : link.expires_at
}

/** The unrevoked link with this id or id prefix. @throws {CliError} `not_found`, or usage when the prefix is ambiguous */
export async function findLink(operator: Pick<Operator, 'consoleLinks'>, given: string): Promise<ListedConsoleLink> {
  const link = findUnrevoked(await operator.consoleLinks(), given, 'links')
  if (link) return link
  throw new CliError(`there is no link ${given} to revoke`, {
    code: 'not_found',
    hints: ['list the links with: pullquote console list', 'give at least 4 characters of the id'],
  })
}

const OPENERS: Partial<Record<NodeJS.Platform, [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/**
 * Opens a URL in this machine's browser.
 *
 * @returns false when there is no display, or no program to open it with
 */
export async function openBrowser(url: string, env: NodeJS.ProcessEnv, platform = process.platform): Promise<boolean> {
  if (platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return false
  // Without a shell, which could interpret part of the URL as a command.
  const [program, ...args] = OPENERS[platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
