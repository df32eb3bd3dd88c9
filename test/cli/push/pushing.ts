/** Pushes to a server that answers as it is told. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { accepted, type Canned, type Seen } from '../fake-server.ts'
import { newHome, runAgainst } from '../run-cli.ts'

export const home = newHome()
export function review(i: number, extra: object = {}) {
  return {
    external_id: `r-${i}`,
    source: 'google',
    rating: 5,
    text: `Review number ${i} is about breakfast.`,
    author_name: 'Ann',
    occurred_at: '2026-01-05T10:00:00Z',
    ...extra,
  }
}
export function file(name: string, text: string): string {
  mkdirSync(home, { recursive: true })
  const path = join(home, name)
  writeFileSync(path, text)
  return path
}
export const many = (count: number) => Array.from({ length: count }, (_, i) => review(i))
export const lines = (reviews: object[]) => reviews.map((one) => JSON.stringify(one)).join('\n')
export const push = (args: string[], answer: (request: Seen) => Canned | Promise<Canned> = accepted, stdin = '') =>
  runAgainst(['reviews', 'push', ...args], { answer, home, stdin })
