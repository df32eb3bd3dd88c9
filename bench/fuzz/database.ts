import { randomUUID } from 'node:crypto'
import postgres from 'postgres'

/** A database of its own for a run. @param kind `embedded`, for which there is nothing to make, or the URL of a server */
export async function openDatabase(kind: string): Promise<{ url: string; drop(): Promise<void> } | undefined> {
  if (kind === 'embedded') return undefined
  const name = `pullquote_fuzz_${randomUUID().slice(0, 8)}`
  const administrator = postgres(kind, { max: 1, onnotice() {} })
  await administrator.unsafe(`create database ${name}`)
  const url = new URL(kind)
  url.pathname = `/${name}`
  return {
    url: url.href,
    async drop() {
      await administrator.unsafe(`drop database ${name} with (force)`)
      await administrator.end()
    },
  }
}
