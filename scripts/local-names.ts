/**
 * Names for the local variables of the minified snippet, and an order of its functions, that compress well: gzip writes what it
 * has just seen in the same surroundings almost for nothing, which a minifier that names each function for itself leaves out:
 * 5 % of the file. A search takes three to six minutes, so that its result is kept beside the source:
 * `tsx scripts/build-snippet.ts --names` writes it anew, after a change of the snippet.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'acorn'
import { analyze, type Scope, type Variable } from 'eslint-scope'
import { gzip } from 'pako'

const FILE = join(import.meta.dirname, '..', 'snippet', 'local-names.json')
const LETTERS = [...'etnraoilscdupmfghybvwkxSjqCTLEAN$_MR']
const TRIES = 150_000
/** By how many bytes about a step may make it larger at first, which leads out of what is only the smallest nearby. */
const HEAT = 0.8
/** One try in so many moves a function. */
const MOVES = 10

/** `{name: name}`, which is written `{name}`. */
const SAME_KEY = /([{,])([\w$]+):\2(?=[,}]|=[^=>])/g

/** What the file weighs on its way: plain zlib's result. Node's own differs from one processor to the next. */
export const gzipSize = (code: string) => gzip(Buffer.from(code), { level: 9 }).length

const hashOf = (code: string) => createHash('sha256').update(code).digest('hex').slice(0, 16)

/** A name for each variable, and the functions by their number. */
interface Written {
  names: string[]
  order: number[]
}

/** The code, which abbreviates no `{name: name}`, with the names and the order that were found for it; with its own when none were. */
export function withLocalNames(code: string): string {
  const { own, write } = variablesOf(code)
  return write(kept(code) ?? own)
}

function kept(code: string): Written | undefined {
  const { of, names, order } = JSON.parse(readFileSync(FILE, 'utf8'))
  return of === hashOf(code) && order ? { names: names.split(' '), order: order.split(' ').map(Number) } : undefined
}

/**
 * Searches names and order anew and keeps them: gives one variable after another, at random, a letter that another may have,
 * which then takes its own, and now and then a function another place. The smallest is kept. Run again it goes on from what was found.
 */
export function findLocalNames(code: string): void {
  const { own, conflicts, write } = variablesOf(code)
  let best = kept(code) ?? own
  let size = gzipSize(write(best))
  let seed = size
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
    return (seed >>> 8) % below
  }
  const renamed = ({ names, order }: Written): Written => {
    const first = random(names.length)
    const from = names[first] as string
    const letter = LETTERS[Math.min(random(LETTERS.length), random(LETTERS.length))] as string
    const to = random(3) === 0 ? (names[random(names.length)] as string) : letter
    const next = [...names]
    const waiting = new Set([first])
    for (const one of waiting) {
      next[one] = names[one] === from ? to : from
      for (const other of conflicts[one] ?? []) if (names[other] === next[one]) waiting.add(other)
    }
    return { names: next, order }
  }
  const moved = ({ names, order }: Written): Written => {
    const next = [...order]
    next.splice(random(next.length), 0, ...next.splice(random(next.length), 1))
    return { names, order: next }
  }
  let current = best
  let weight = size
  for (let tries = 0; tries < TRIES; tries++) {
    const next = random(MOVES) === 0 ? moved(current) : renamed(current)
    const tried = gzipSize(write(next))
    const heat = HEAT * (1 - tries / TRIES) ** 1.5
    if (tried > weight && random(1000) / 1000 >= Math.exp((weight - tried) / heat)) continue
    weight = tried
    current = next
    if (tried > size) continue
    size = tried
    best = next
  }
  const found = { of: hashOf(code), names: best.names.join(' '), order: best.order.join(' ') }
  writeFileSync(FILE, `${JSON.stringify(found, null, 2)}\n`)
}

/** The variables' names, for each those that must not be called the same, and the code with other names in another order. */
function variablesOf(code: string) {
  const program = parse(code, { ecmaVersion: 2022, ranges: true })
  const { scopes } = analyze(program as never, { ecmaVersion: 2022 })
  const variables = scopes.flatMap((scope) => scope.variables.filter(({ identifiers }) => identifiers[0]))
  const live = variables.map(liveScopes)
  const places = variables.flatMap(({ identifiers, references }, variable) => {
    const nodes = [...identifiers, ...references.map(({ identifier }) => identifier)]
    return [...new Map(nodes.map(({ range }) => range as [number, number]))].map(([start, end]) => ({
      start,
      end,
      variable,
    }))
  })
  places.sort((one, other) => one.start - other.start)
  const { starts, end } = functionsOf(scopes)
  const part = (from: number, to: number) => {
    const within = places.filter(({ start }) => start >= from && start < to)
    const between = [from, ...within.map((place) => place.end)].map((at, i) => code.slice(at, within[i]?.start ?? to))
    return (names: readonly string[]) =>
      between.map((text, i) => text + (names[within[i]?.variable ?? -1] ?? '')).join('')
  }
  const head = part(0, starts[0] ?? end)
  const functions = starts.map((start, i) => part(start, starts[i + 1] ?? end))
  const rest = part(end, code.length)
  return {
    own: { names: variables.map(({ name }) => name), order: starts.map((_, i) => i) },
    conflicts: variables.map((one, i) =>
      variables.flatMap((other, j) => (i !== j && (live[j]?.has(one.scope) || live[i]?.has(other.scope)) ? j : [])),
    ),
    write: ({ names, order }: Written) =>
      [head, ...order.map((i) => functions[i] ?? head), rest]
        .map((written) => written(names))
        .join('')
        .replace(SAME_KEY, '$1$2'),
  }
}

/** Where the functions begin that stand first in the file's own scope, one behind the other, and where the last ends: any order of them is the same. */
function functionsOf(scopes: readonly Scope[]): { starts: number[]; end: number } {
  const declared = scopes.flatMap(({ block, upper }) =>
    block.type === 'FunctionDeclaration' && upper?.upper?.type === 'global' ? [block.range as [number, number]] : [],
  )
  declared.sort(([one], [other]) => one - other)
  const run = declared.filter(([start], i) => i === 0 || start === declared[i - 1]?.[1])
  return { starts: run.map(([start]) => start), end: run.at(-1)?.[1] ?? 0 }
}

/** The scopes in which a variable is used, and those between them and its own. */
function liveScopes({ scope: own, references }: Variable): Set<Scope> {
  const live = new Set([own])
  for (const { from } of references)
    for (let scope: Scope | null = from; scope && scope !== own; scope = scope.upper) live.add(scope)
  return live
}
