import { REVIEWS_PER_PUSH } from '../../src/contract/limits.ts'
import { takeReviews } from '../corpus.ts'
import type { BenchService } from '../service.ts'

/** Bodies of `POST /v1/reviews`, a hundred made-up reviews each. */
export function pushBodies(count: number, seed = 1): string[] {
  const reviews = takeReviews(count, seed)
  const bodies: string[] = []
  for (let i = 0; i < reviews.length; i += REVIEWS_PER_PUSH) {
    bodies.push(JSON.stringify(reviews.slice(i, i + REVIEWS_PER_PUSH)))
  }
  return bodies
}

/** Pushes all bodies, `lanes` at a time, and resolves when every review is indexed. */
export async function pushAll(service: BenchService, bodies: readonly string[], lanes = 2): Promise<void> {
  const queue = [...bodies]
  const push = async () => {
    for (let body = queue.shift(); body !== undefined; body = queue.shift()) {
      const headers = { 'content-type': 'application/json' }
      const response = await service.request('/v1/reviews', { method: 'POST', headers, body })
      if (response.status !== 200) throw new Error(await response.text())
    }
  }
  await Promise.all(Array.from({ length: lanes }, push))
  await untilIndexed(service)
}

export async function untilIndexed(service: BenchService): Promise<void> {
  for (;;) {
    await service.worker.idle()
    const [left] = await service.sql<{ count: string }[]>`select count(*) from index_jobs`
    if (left?.count === '0') return
  }
}
