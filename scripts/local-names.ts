/**
 * Names for the local variables of the minified snippet that compress well: gzip writes a name it has just seen in the
 * same surroundings almost for nothing, which a minifier that names each function for itself leaves out: 3 % of the file.
 * A search takes one or two minutes, so that its result is kept beside the source: `tsx scripts/build-snippet.ts --names` writes
 * it anew, after a change of the snippet.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'acorn'
import { analyze, type Scope, type Variable } from 'eslint-scope'
import { gzip } from 'pako'

const FILE = join(import.meta.dirname, '..', 'snippet', 'local-names.json')
const LETTERS = [...'etnraoilscdupmfghybvwkxSjqCTLEAN$_MR']
const TRIES = 100_000

/** `{name: name}`, which is written `{name}`. */
const SAME_KEY = /([{,])([\w$]+):\2(?=[,}]|=[^=>])/g

/** What the file weighs on its way: plain zlib's result. Node's own differs from one processor to the next. */
export const gzipSize = (code: string) => gzip(Buffer.from(code), { level: 9 }).length

const hashOf = (code: string) => createHash('sha256').update(code).digest('hex').slice(0, 16)

/** The code, which abbreviates no `{name: name}`, with the names that were found for it; with its own when none were. */
export function withLocalNames(code: string): string {
  const { names, write } = variablesOf(code)
  return write(keptNames(code) ?? names)
}

function keptNames(code: string): string[] | undefined {
  const kept = JSON.parse(readFileSync(FILE, 'utf8'))
  return kept.of === hashOf(code) ? kept.names.split(' ') : undefined
}

/**
 * Searches the names anew and keeps them: gives one variable after another, at random, a letter that another may have,
 * which then takes its own. What is smaller stays. Run again it goes on from what was found.
 */
export function findLocalNames(code: string): void {
  const { names, conflicts, write } = variablesOf(code)
  let best = keptNames(code) ?? names
  let size = gzipSize(write(best))
  let seed = size
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
    return (seed >>> 8) % below
  }
  for (let tries = 0; tries < TRIES; tries++) {
    const first = random(best.length)
    const from = best[first] as string
    const to = LETTERS[Math.min(random(LETTERS.length), random(LETTERS.length))] as string
    const next = [...best]
    const waiting = new Set([first])
    for (const one of waiting) {
      next[one] = best[one] === from ? to : from
      for (const other of conflicts[one] ?? []) if (best[other] === next[one]) waiting.add(other)
    }
    const smaller = gzipSize(write(next))
    if (smaller > size) continue
    size = smaller
    best = next
  }
  writeFileSync(FILE, `${JSON.stringify({ of: hashOf(code), names: best.join(' ') }, null, 2)}\n`)
}

/** The variables' names, for each those that must not be called the same, and the code with other names. */
function variablesOf(code: string) {
  const { scopes } = analyze(parse(code, { ecmaVersion: 2022, ranges: true }) as never, { ecmaVersion: 2022 })
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
  const between = [0, ...places.map(({ end }) => end)].map((end, i) => code.slice(end, places[i]?.start))
  return {
    names: variables.map(({ name }) => name),
    conflicts: variables.map((one, i) =>
      variables.flatMap((other, j) => (i !== j && (live[j]?.has(one.scope) || live[i]?.has(other.scope)) ? j : [])),
    ),
    write: (names: readonly string[]) =>
      between
        .map((text, i) => text + (names[places[i]?.variable ?? -1] ?? ''))
        .join('')
        .replace(SAME_KEY, '$1$2'),
  }
}

/** The scopes in which a variable is used, and those between them and its own. */
function liveScopes({ scope: own, references }: Variable): Set<Scope> {
  const live = new Set([own])
  for (const { from } of references)
    for (let scope: Scope | null = from; scope && scope !== own; scope = scope.upper) live.add(scope)
  return live
}
