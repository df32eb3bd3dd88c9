/** The value below which `share` of the values lie; for an even number the upper neighbour. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (values: readonly number[]) => quantile(values, 0.5)

/** Milliseconds that `work` takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Reads `--name value` flags, all optional. */
export function flags<T extends Record<string, string>>(defaults: T): T {
  const found: Record<string, string> = { ...defaults }
  const given = process.argv.slice(2)
  for (let i = 0; i < given.length; i += 2) {
    const name = given[i]?.replace(/^--/, '') ?? ''
    const value = given[i + 1]
    if (!(name in defaults) || value === undefined) {
      throw new Error(
        `usage: ${Object.entries(defaults)
          .map(([flag, value]) => `--${flag} ${value}`)
          .join(' ')}`,
      )
    }
    found[name] = value
  }
  return found as T
}

/** Prints one figure a line, and the target when there is one. */
export function report(title: string, lines: Record<string, string | number>): void {
  console.log(`\n${title}`)
  const width = Math.max(...Object.keys(lines).map((name) => name.length))
  for (const [name, value] of Object.entries(lines)) console.log(`  ${name.padEnd(width)}  ${value}`)
}
