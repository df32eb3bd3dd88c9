import type { Project } from '../../contract/project.ts'
import { shellQuote } from '../output/shell-quote.ts'
import type { Terminal } from '../output/terminal.ts'
import { queryResults } from '../query/results.ts'
import type { Preview } from './preview.ts'

/** A preview for people: the page, what it asks, whether its origin may ask, and the reviews that would appear. */
export function previewLines(preview: Preview, project: Project | undefined, terminal: Terminal): string {
  const { bold, dim, green, red } = terminal.style
  const { page, query, derived, origin, originAllowed, answer, problem } = preview
  const lines = page === undefined ? [] : [bold(page)]
  if (query !== undefined)
    lines.push(`${dim(derived ? 'derived query:' : 'query:')} ${query || 'none: the newest reviews'}`)
  if (origin !== undefined && originAllowed === true) lines.push(`${dim('origin:')} ${origin} ${green('is allowed')}`)
  if (origin !== undefined && originAllowed === false) lines.push(...refusal(origin, project, red))
  if (problem !== undefined && originAllowed !== false) lines.push(`${red('problem:')} ${problem}`)
  if (answer === undefined) return lines.join('\n')
  if (answer.results.length === 0) lines.push('Nothing fits: the tag would show nothing here.')
  else lines.push(queryResults({ answer, q: query, now: new Date(), floor: project?.similarity_floor }, terminal))
  return lines.join('\n')
}

function refusal(origin: string, project: Project | undefined, red: (text: string) => string): string[] {
  const line = `origin: ${origin} ${red('is not allowed')}: browsers would get 403 and show nothing.`
  if (!project) return [line, '  Have the operator add it to the project.']
  return [line, `  Try: pullquote projects set ${shellQuote(project.name)} --add-origin ${origin}`]
}
