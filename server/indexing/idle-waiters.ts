/** Callers that wait until no review is due. */
export class IdleWaiters {
  #waiters: { from: number; resolve(): void }[] = []

  get any(): boolean {
    return this.#waiters.length > 0
  }

  /** @param claim number of the last claim that began before this call */
  after(claim: number): Promise<void> {
    return new Promise((resolve) => this.#waiters.push({ from: claim, resolve }))
  }

  /** Resolves those who asked before the claim of this number. */
  resolve(claim = Number.POSITIVE_INFINITY): void {
    const waiters = this.#waiters
    this.#waiters = waiters.filter(({ from }) => from >= claim)
    for (const { from, resolve } of waiters) if (from < claim) resolve()
  }
}
