/**
 * Names for the local variables of the minified snippet, and an order of its functions, that compress well: gzip writes what it
 * has just seen in the same surroundings almost for nothing, which a minifier that names each function for itself leaves out:
 * 5 % of the file. A search takes minutes, so that its result is kept beside the source, with the code that it was made for: after a
 * change of the snippet most of it still fits. `tsx scripts/build-snippet.ts --names` searches on from there.
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
/** By how many bytes about a step may make it larger at first, which leads out of what is only the smallest nearby. */
const HEAT = 0.3
/** One try in so many moves a function. */
const MOVES = 10

/** `{name: name}`, which is written `{name}`. */
const SAME_KEY = /([{,])([\w$]+):\2(?=[,}]|=[^=>])/g

/** What the file weighs on its way: plain zlib's result. Node's own differs from one processor to the next. */
export const gzipSize = (code: string) => gzip(Buffer.from(code), { level: 9 }).length

/** A name for each variable, and the functions by their number. */
interface Written {
  names: string[]
  order: number[]
}

/** The code, which abbreviates no `{name: name}`, with the names and the order that were found for it, or for the code before a change. */
export function withLocalNames(code: string): string {
  return variablesOf(code).write(kept(code))
}

/** What was found. For another code: the names of the variables that stand in the same surroundings, and its order of functions. */
function kept(code: string): Written {
  const file: { code: string; names: string; order: string } = JSON.parse(readFileSync(FILE, 'utf8'))
  const names = file.names.split(' ')
  const order = file.order.split(' ').map(Number)
  if (file.code === code) return { names, order }
  const was = variablesOf(file.code)
  const { conflicts, surroundings, beginnings } = variablesOf(code)
  const wanted = commonOf(was.surroundings, surroundings)
  const given: string[] = []
  // First those that have a name, then the new ones.
  for (const isNew of [false, true]) {
    for (const i of surroundings.keys()) {
      const old = wanted.get(i)
      if (given[i] || (old === undefined) !== isNew) continue
      const taken = new Set(conflicts[i]?.map((other) => given[other]))
      given[i] = [names[old ?? -1], ...LETTERS, ...SPARE].find((name) => name && !taken.has(name)) as string
    }
  }
  const again = order.map((i) => beginnings.indexOf(was.beginnings[i] as string))
  return { names: given, order: [...new Set([...again, ...beginnings.keys()])].filter((i) => i >= 0) }
}

/** The longest common subsequence of two lists: for the places in the second those in the first. */
function commonOf(first: readonly string[], second: readonly string[]): Map<number, number> {
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
 * Searches names and order anew and keeps them: gives one variable after another, at random, a letter that another may have,
 * which then takes its own, and now and then a function another place. The smallest is kept. It goes on from what was found before.
 */
export function findLocalNames(code: string): void {
  const { conflicts, write } = variablesOf(code)
  let best = kept(code)
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
  const found = { code, names: best.names.join(' '), order: best.order.join(' ') }
  writeFileSync(FILE, `${JSON.stringify(found, null, 2)}\n`)
}

/** A property that the snippet alone knows, with the number of the object that has it, as the bundler was told to write it. */
const INNER_PROPERTY = /\b[a-z]\w*\$\d\b/gi
const nameless = (code: string) => code.replace(INNER_PROPERTY, '#').replace(/[A-Za-z_$][\w$]?(?![\w$])/g, '#')

/** What surrounds the variables, for each those that must not be called the same, and the code with other names in another order. */
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
  // Properties get names as variables do, behind them.
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
    /** Two codes have the same where but names differ. */
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
