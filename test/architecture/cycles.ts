import type { Import } from './source.ts'

/** The groups of files that reach each other by the given imports (strongly connected components), each sorted. */
export function cycles(imports: Import[]): string[][] {
  const next = new Map<string, string[]>()
  for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to])
  const reached = new Map<string, { index: number; low: number; open: boolean }>()
  const stack: string[] = []
  const found: string[][] = []

  function visit(file: string) {
    const state = { index: reached.size, low: reached.size, open: true }
    reached.set(file, state)
    stack.push(file)
    for (const to of next.get(file) ?? []) {
      const other = reached.get(to)
      if (!other) state.low = Math.min(state.low, visit(to))
      else if (other.open) state.low = Math.min(state.low, other.index)
    }
    if (state.low === state.index) {
      const group = stack.splice(stack.indexOf(file))
      for (const member of group) {
        const its = reached.get(member)
        if (its) its.open = false
      }
      if (group.length > 1) found.push(group.sort())
    }
    return state.low
  }

  for (const file of next.keys()) if (!reached.has(file)) visit(file)
  return found.sort()
}
