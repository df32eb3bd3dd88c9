/**
 * Names for the local variables of the minified snippet that compress well: gzip writes a name it has just seen in the
 * same surroundings almost for nothing, which a minifier that names each function for itself leaves out: 3 % of the file.
 * A search takes half a minute and depends on the version of zlib, so that its result is kept beside the source:
 * `tsx scripts/build-snippet.ts --names` writes it anew, after a change of the snippet.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Node, parse } from 'acorn'
import { analyze, type Scope, type Variable } from 'eslint-scope'

const FILE = join(import.meta.dirname, '..', 'snippet', 'local-names.json')
const LETTERS = [...'etnraoilscdupmfghybvwkxSjqCTLEAN$_MR']
const TRIES = 200_000

/** The code with the names that were found for it; the code as it is when none were. */
export function withLocalNames(code: string): string {
  const { of, names } = JSON.parse(readFileSync(FILE, 'utf8'))
  return of === hashOf(code) ? new LocalNames(code).written(names.split(' ')) : code
}

/** Searches the names anew and keeps them. */
export function findLocalNames(code: string): void {
  const names = new LocalNames(code).searched().join(' ')
  writeFileSync(FILE, `${JSON.stringify({ of: hashOf(code), names }, null, 2)}\n`)
}

const hashOf = (code: string) => createHash('sha256').update(code).digest('hex').slice(0, 16)

class LocalNames {
  readonly names: string[]
  /** For each variable those that must not be called the same. */
  readonly conflicts: number[][]
  /** The code between the places where a variable stands, and those places in their order. */
  private readonly between: string[]
  private readonly places: { variable: number; key: string }[]

  constructor(code: string) {
    const tree = parse(code, { ecmaVersion: 2022, ranges: true })
    const { scopes } = analyze(tree as never, { ecmaVersion: 2022 })
    const variables = scopes.flatMap((scope) => scope.variables.filter(({ identifiers }) => identifiers.length > 0))
    const live = variables.map(liveScopes)
    this.names = variables.map(({ name }) => name)
    this.conflicts = variables.map((one, i) =>
      variables.flatMap((other, j) => (i !== j && (live[j]?.has(one.scope) || live[i]?.has(other.scope)) ? j : [])),
    )
    const keys = shorthandKeys(tree)
    const found = variables.flatMap(({ identifiers, references }, variable) => {
      const nodes = [...identifiers, ...references.map(({ identifier }) => identifier)] as unknown as Node[]
      return [...new Map(nodes.map(({ start, end }) => [start, end]))].map(([start, end]) => ({ start, end, variable }))
    })
    found.sort((one, other) => one.start - other.start)
    this.places = found.map(({ start, end, variable }) => ({
      variable,
      key: keys.has(start) ? code.slice(start, end) : '',
    }))
    this.between = [0, ...found.map(({ end }) => end)].map((end, i) => code.slice(end, found[i]?.start))
  }

  written(names: readonly string[]): string {
    const parts = this.places.map(({ variable, key }, i) => {
      const name = names[variable] as string
      return `${this.between[i]}${key && key !== name ? `${key}:` : ''}${name}`
    })
    return parts.join('') + this.between.at(-1)
  }

  /** Gives one variable after another, at random, a letter that another may have, which then takes its own: what is smaller stays. */
  searched(): string[] {
    let best = this.names
    let size = gzipSync(this.written(best), { level: 9 }).length
    let seed = 1
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
      return (seed >>> 8) % below
    }
    for (let tries = 0; tries < TRIES; tries++) {
      const first = random(best.length)
      const from = best[first] as string
      const to = LETTERS[Math.min(random(LETTERS.length), random(LETTERS.length))] as string
      const next = [...best]
      const waiting = [first]
      for (const one of waiting) {
        next[one] = best[one] === from ? to : from
        for (const other of this.conflicts[one] ?? [])
          if (best[other] === next[one] && !waiting.includes(other)) waiting.push(other)
      }
      const smaller = gzipSync(this.written(next), { level: 9 }).length
      if (smaller > size) continue
      size = smaller
      best = next
    }
    return best
  }
}

/** The scopes in which a variable is used, and those between them and its own. */
function liveScopes({ scope: own, references }: Variable): Set<Scope> {
  const live = new Set([own])
  for (const { from } of references)
    for (let scope: Scope | null = from; scope && scope !== own; scope = scope.upper) live.add(scope)
  return live
}

/** Where `{name}` stands for `{name: name}`. */
function shorthandKeys(node: unknown, keys = new Set<number>()): Set<number> {
  if (typeof node !== 'object' || node === null) return keys
  if ('shorthand' in node && node.shorthand && 'start' in node) keys.add(node.start as number)
  for (const child of Object.values(node)) shorthandKeys(child, keys)
  return keys
}
