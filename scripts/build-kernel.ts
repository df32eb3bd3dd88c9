/**
 * Compiles the kernel of the in-memory search: `tsx scripts/build-kernel.ts` writes `server/search/memory/kernel.wasm`.
 * The file is committed, so that a checkout searches with SIMD without a build; a test compares it with its source.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import asc from 'assemblyscript/asc'

const root = join(import.meta.dirname, '..')
const SOURCE = 'server/search/memory/kernel.assembly.ts'
export const KERNEL_FILE = join(root, 'server/search/memory/kernel.wasm')

/** @throws when the source does not compile */
export async function compileKernel(): Promise<Uint8Array> {
  let made: Uint8Array | undefined
  const options = ['--optimizeLevel', '3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--importMemory']
  // Shared with the scanning threads; up to 65,536 pages of 64 KiB.
  options.push('--enable', 'threads', '--sharedMemory', '--maximumMemory', '65536')
  const { error, stderr } = await asc.main([SOURCE, ...options, '--baseDir', root, '--outFile', 'kernel.wasm'], {
    writeFile: (_name, contents) => {
      if (typeof contents !== 'string') made = contents
    },
  })
  if (error || !made) throw new Error(`The kernel does not compile: ${error?.message}\n${stderr.toString()}`)
  return made
}

if (process.argv[1] === import.meta.filename) {
  const kernel = await compileKernel()
  writeFileSync(KERNEL_FILE, kernel)
  console.log(`${KERNEL_FILE}: ${kernel.length} bytes`)
}
