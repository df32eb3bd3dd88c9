/**
 * Chooses names for the local variables of the minified snippet, and an order of its functions, that compress well: gzip
 * encodes a repetition of recent text almost for free, and a minifier that names variables function by function misses
 * that, 5 % of the file. A search takes minutes, so its result is stored beside the source with the code it was made for;
 * after a change of the snippet most of it still applies. `tsx scripts/build-snippet.ts --names` continues the search.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'acorn'
import { analyze, type Scope, type Variable } from 'eslint-scope'
import { gzip } from 'pako'

const FILE = join(import.meta.dirname, '..', 'snippet', 'local-names.json')
const LETTERS = [...'etnraoilscdupmfghybvwkxSjqCTLEAN$_MR']
const SPARE = [...'BDFGHIJKOPQUVWXYZ']
const TRIES = 100_000
/** Initial temperature of the annealing, in bytes: about how much a step may grow the file, to leave local minima. */
const HEAT = 0.3
/** One try in this many moves a function instead of renaming. */
const MOVES = 10

/** `{name: name}`, to be abbreviated to `{name}`. */
const SAME_KEY = /([{,])([\w$]+):\2(?=[,}]|=[^=>])/g

/** Compressed size in bytes by plain zlib, since the result of Node's own differs between processors. */
export const gzipSize = (code: string) => gzip(Buffer.from(code), { level: 9 }).length

/** A name for each variable, and the functions' indexes in their new order. */
interface Solution {
  names: string[]
  order: number[]
}

/**
 * Applies the stored names and order to the code, even when these were found for an earlier version of it.
 *
 * @param code must not abbreviate `{name: name}`
 */
export function withLocalNames(code: string): string {
  return variablesOf(code).write(storedSolution(code))
}

/** The stored solution. For changed code, variables in unchanged surroundings keep their names, and functions their order. */
function storedSolution(code: string): Solution {
  const file: { code: string; names: string; order: string } = JSON.parse(readFileSync(FILE, 'utf8'))
  const names = file.names.split(' ')
  const order = file.order.split(' ').map(Number)
  if (file.code === code) return { names, order }
  const earlier = variablesOf(file.code)
  const { conflicts, surroundings, beginnings } = variablesOf(code)
  const wanted = commonSubsequence(earlier.surroundings, surroundings)
  const given: string[] = []
  // Variables with a stored name first, then the new ones.
  for (const isNew of [false, true]) {
    for (const i of surroundings.keys()) {
      const old = wanted.get(i)
      if (given[i] || (old === undefined) !== isNew) continue
      const taken = new Set(conflicts[i]?.map((other) => given[other]))
      given[i] = [names[old ?? -1], ...LETTERS, ...SPARE].find((name) => name && !taken.has(name)) as string
    }
  }
  const again = order.map((i) => beginnings.indexOf(earlier.beginnings[i] as string))
  return { names: given, order: [...new Set([...again, ...beginnings.keys()])].filter((i) => i >= 0) }
}

/** The longest common subsequence of two lists, as a map from indexes in the second to indexes in the first. */
function commonSubsequence(first: readonly string[], second: readonly string[]): Map<number, number> {
  const lengths = Array.from({ length: first.length + 1 }, () => new Array<number>(second.length + 1).fill(0))
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0
  for (let i = first.length - 1; i >= 0; i--)
    for (let j = second.length - 1; j >= 0; j--)
      (lengths[i] as number[])[j] = first[i] === second[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const common = new Map<number, number>()
  for (let i = 0, j = 0; i < first.length && j < second.length; ) {
    if (first[i] === second[j]) common.set(j++, i++)
    else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  }
  return common
}

/**
 * Continues the search from the stored solution by simulated annealing, and stores the best: each step gives a random
 * variable another letter, swapping it with conflicting variables, or now and then moves a function.
 */
export function findLocalNames(code: string): void {
  const { conflicts, write } = variablesOf(code)
  let best = storedSolution(code)
  let size = gzipSize(write(best))
  let seed = size
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
    return (seed >>> 8) % below
  }
  const renamed = ({ names, order }: Solution): Solution => {
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
  const moved = ({ names, order }: Solution): Solution => {
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
  const found = { code, names: best.names.join(' '), order: best.order.join(' ') }
  writeFileSync(FILE, `${JSON.stringify(found, null, 2)}\n`)
}

/** An internal property with the number of its object, as mangled by the bundler (`INNER_NAMES` in build-snippet.ts). */
const INNER_PROPERTY = /\b[a-z]\w*\$\d\b/gi
const nameless = (code: string) => code.replace(INNER_PROPERTY, '#').replace(/[A-Za-z_$][\w$]?(?![\w$])/g, '#')

/** Analyses the code: its variables' surroundings and conflicts, and a function to write it with a solution. */
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
  // Properties are named like variables, with indexes after theirs.
  const found = [...code.matchAll(INNER_PROPERTY)]
  const properties = [...new Set(found.map(([name]) => name))].sort()
  for (const { 0: name, index: start } of found)
    places.push({ start, end: start + name.length, variable: variables.length + properties.indexOf(name) })
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
    /** Equal in two versions of the code where only names differ. */
    surroundings: [
      ...variables.map(({ identifiers: [first] }) => {
        const [from = 0, to = 0] = first?.range ?? []
        return (
          nameless(code.slice(Math.max(0, from - 40), from)).slice(-6) + nameless(code.slice(to, to + 40)).slice(0, 6)
        )
      }),
      ...properties,
    ],
    beginnings: starts.map((start, i) =>
      nameless(code.slice(start, Math.min(start + 99, starts[i + 1] ?? end))).slice(0, 40),
    ),
    conflicts: [
      ...variables.map((one, i) =>
        variables.flatMap((other, j) => (i !== j && (live[j]?.has(one.scope) || live[i]?.has(other.scope)) ? j : [])),
      ),
      ...properties.map((one) =>
        properties.flatMap((other, j) => (one !== other && one.at(-1) === other.at(-1) ? variables.length + j : [])),
      ),
    ],
    write: ({ names, order }: Solution) =>
      [head, ...order.map((i) => functions[i] ?? head), rest]
        .map((written) => written(names))
        .join('')
        .replace(SAME_KEY, '$1$2'),
  }
}

/** The offsets of the adjacent function declarations at the start of the outer scope, whose order is free, and their end. */
function functionsOf(scopes: readonly Scope[]): { starts: number[]; end: number } {
  const declared = scopes.flatMap(({ block, upper }) =>
    block.type === 'FunctionDeclaration' && upper?.upper?.type === 'global' ? [block.range as [number, number]] : [],
  )
  declared.sort(([one], [other]) => one - other)
  const run = declared.filter(([start], i) => i === 0 || start === declared[i - 1]?.[1])
  return { starts: run.map(([start]) => start), end: run.at(-1)?.[1] ?? 0 }
}

/** The scopes in which a variable is used, and those between them and its own scope. */
function liveScopes({ scope: own, references }: Variable): Set<Scope> {
  const live = new Set([own])
  for (const { from } of references)
    for (let scope: Scope | null = from; scope && scope !== own; scope = scope.upper) live.add(scope)
  return live
}
