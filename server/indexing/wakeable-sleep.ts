/** Sleeps that end early when everybody is woken. */
export class Sleepers {
  readonly #wakes = new Set<() => void>()

  /** Until the time is over or {@link wakeAll} is called. */
  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        this.#wakes.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, milliseconds)
      this.#wakes.add(wake)
    })
  }

  wakeAll(): void {
    for (const wake of this.#wakes) wake()
  }
}
