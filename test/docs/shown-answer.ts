/**
 * Compares an answer with the one shown on a page, which must have exactly the same fields, in any order. `…` in a shown
 * text matches anything, and as a field name any further fields; a shown id or time matches any, and a shown number any
 * number, since scores and times differ. All other values must be equal.
 */
import type { Block } from './markdown.ts'

/** One answer as curl received it. */
export interface Answer {
  status: number
  headers: Headers
  body: string
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/**
 * The differences, one per line; none when the answer is as shown.
 *
 * @param ids maps shown ids to those of the answer, so that later examples can use them
 */
export function differences(shown: Block, answer: Answer, ids: Map<string, string>): string[] {
  if (shown.language === 'json') {
    const status = answer.status < 300 ? [] : [`status ${answer.status} ${answer.body}`]
    return [...status, ...bodyDifferences(shown.text, answer, ids)]
  }
  if (shown.language === 'text') return missingLines(shown.text, answer.body)
  if (shown.language !== 'http') return [`a block of "${shown.language}" shows no answer`]
  const [head = '', body] = shown.text.split(/\n\n(.*)/s)
  const [statusLine = '', ...headers] = head.split('\n')
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(statusLine)?.[1])
  return [
    ...(status === answer.status ? [] : [`status ${answer.status} instead of ${status}: ${answer.body}`]),
    ...headers.flatMap((line) => {
      const [, name = '', value = ''] = /^([\w-]+): (.*)$/.exec(line) ?? []
      const got = answer.headers.get(name)
      return got !== null && like(value, got) ? [] : [`header "${line}", got ${got}`]
    }),
    ...(body === undefined ? emptyBody(answer) : bodyDifferences(body, answer, ids)),
  ]
}

function emptyBody({ body }: Answer): string[] {
  return body === '' ? [] : [`a body where none is shown: ${body}`]
}

function bodyDifferences(shown: string, { body }: Answer, ids: Map<string, string>): string[] {
  return valueDifferences(JSON.parse(shown), parsed(body), '(body)', ids)
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return `no JSON: ${body}`
  }
}

/** Every shown line, with its `…`, is one of the lines. */
function missingLines(shown: string, body: string): string[] {
  const lines = body.split('\n')
  return shown.split('\n').flatMap((line) => (lines.some((one) => like(line, one)) ? [] : [`no line "${line}"`]))
}

function valueDifferences(shown: unknown, got: unknown, path: string, ids: Map<string, string>): string[] {
  const unlike = [`${path} is ${JSON.stringify(got)} instead of ${JSON.stringify(shown)}`]
  if (Array.isArray(shown)) {
    if (!Array.isArray(got) || got.length !== shown.length) return unlike
    return shown.flatMap((one, i) => valueDifferences(one, got[i], `${path}.${i}`, ids))
  }
  if (isObject(shown)) {
    if (!isObject(got)) return unlike
    const { '…': further, ...named } = shown
    const names = [...new Set([...Object.keys(named), ...(further === undefined ? Object.keys(got) : [])])]
    return names.flatMap((name) => {
      if (!Object.hasOwn(got, name)) return [`${path}.${name} is missing`]
      if (!Object.hasOwn(named, name)) return [`${path}.${name} is not shown`]
      return valueDifferences(named[name], got[name], `${path}.${name}`, ids)
    })
  }
  if (typeof shown === 'number') return typeof got === 'number' ? [] : unlike
  if (typeof shown !== 'string' || typeof got !== 'string') return shown === got ? [] : unlike
  if (ID.test(shown) && ID.test(got)) {
    const known = ids.get(shown)
    ids.set(shown, known ?? got)
    return known === undefined || known === got ? [] : [`${path} is another id than ${shown} was before`]
  }
  if (TIME.test(shown) && TIME.test(got)) return []
  return like(shown, got) ? [] : unlike
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Equal, where `…` stands for anything. */
function like(shown: string, got: string): boolean {
  const parts = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(got)
}
