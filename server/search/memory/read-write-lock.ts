/** Allows concurrent readers or a single writer. Readers that arrive while a writer waits run after it. */
export class ReadWriteLock {
  #written: Promise<unknown> = Promise.resolve()
  readonly #readers = new Set<Promise<unknown>>()

  read<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#written.then(work)
    const settled = done.then(nothing, nothing)
    this.#readers.add(settled)
    void settled.then(() => this.#readers.delete(settled))
    return done
  }

  write<T>(work: () => Promise<T> | T): Promise<T> {
    const done = Promise.all([this.#written, ...this.#readers]).then(work)
    this.#written = done.then(nothing, nothing)
    return done
  }
}

const nothing = () => {}
