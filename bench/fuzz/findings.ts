/** What went wrong, each kind once with its first example and how often it came. */
export class Findings {
  #found = new Map<string, { count: number; example: string }>()

  add(what: string, example: string): void {
    const known = this.#found.get(what)
    if (known) known.count++
    else {
      this.#found.set(what, { count: 1, example })
      console.log(`found: ${what}`)
    }
  }

  get size(): number {
    return this.#found.size
  }

  print(): void {
    for (const [what, { count, example }] of this.#found) {
      console.log(`\nFOUND ${what} (${count.toLocaleString('en')} times), first:\n  ${example.slice(0, 1_500)}`)
    }
  }
}
