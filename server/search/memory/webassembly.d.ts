/** The parts of WebAssembly in use; Node's types leave them to the DOM's. */
declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { initial: number; maximum?: number; shared?: boolean })
    readonly buffer: ArrayBufferLike
    /** @throws {RangeError} when memory cannot be allocated */
    grow(pages: number): number
  }
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance {
    constructor(module: Module, imports: { env: { memory: Memory } })
    readonly exports: Record<string, unknown>
  }
}
