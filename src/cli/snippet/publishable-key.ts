import type { Operator } from '../../client/operator.ts'
import type { ListedKey } from '../../contract/key.ts'
import type { Project } from '../../contract/project.ts'
import type { Environment } from '../../contract/review.ts'
import type { Session } from '../connection/session.ts'
import { usageError } from '../errors/failure.ts'
import { keyState } from '../keys/table.ts'
import { oneLine } from '../output/printable.ts'
import type { Reporter } from '../output/reporter.ts'
import { promptYesNo } from '../prompts/prompt.ts'

/** Where the key of the tag comes from. */
export type KeySource = 'given' | 'new' | 'none' | 'ask'

/** The key of a tag; an `id` where it was made just now. */
export type TagKey = { id?: string; key: string; created: boolean }

/** A key stands in the list for good: it is made when that is asked for, never on the way. */
export function keySource(
  isGiven: boolean,
  flags: { 'new-key': boolean; 'no-key': boolean },
  json: boolean,
): KeySource {
  if (isGiven) return 'given'
  if (flags['no-key']) return 'none'
  if (flags['new-key']) return 'new'
  if (process.stdin.isTTY && process.stderr.isTTY && !json) return 'ask'
  throw usageError(
    'the tag needs a publishable key, and keys cannot be shown again',
    'give the one you have with --key',
    'make one with --new-key',
    'leave its place open with --no-key',
  )
}

/** Makes the key of the tag, if it is to be made. @returns null where its place is left open */
export async function obtainKey(
  source: KeySource,
  { operator, settings }: Session,
  project: Project | undefined,
  { signal, reporter }: { signal: AbortSignal; reporter: Reporter },
): Promise<TagKey | null> {
  if (source === 'given' && settings.key !== undefined) return { key: settings.key, created: false }
  if (source === 'none') return null
  if (!operator || !project) {
    throw usageError(
      'a publishable key is needed, and this connection may not make one',
      'give it with --key, or leave its place open with --no-key',
    )
  }
  const env = settings.env ?? 'live'
  if (source === 'ask') {
    await listActiveKeys(operator, project, env, reporter)
    if (!(await promptYesNo(`Make a new publishable key of ${project.name} (${env})?`, signal))) {
      reporter.info('The place of the key is left open. Give one with --key, or make one with --new-key.')
      return null
    }
  }
  const { id, key } = await operator.createKey({ project: project.name, kind: 'publishable', env, name: 'snippet' })
  reporter.info(
    `Made the publishable key "snippet" of ${project.name} (${env}). Next time give it with --key: it is not shown again.`,
  )
  return { id, key, created: true }
}

async function listActiveKeys(operator: Operator, project: Project, env: Environment, reporter: Reporter) {
  const now = new Date()
  const isIt = (key: ListedKey) => key.kind === 'publishable' && key.env === env && keyState(key, now) === 'active'
  const there = (await operator.keys(project.name)).filter(isIt)
  if (there.length === 0) return
  const ends = there.map(({ hint, name }) => `…${hint}${name === null ? '' : ` (${oneLine(name)})`}`)
  reporter.info(`${project.name} has publishable keys already: ${ends.join(', ')}.`)
  reporter.info('To use one of them, answer no and give it with --key.')
}
