/**
 * The console's search in the list of reviews, over as many reviews as a paid project may have: `tsx
 * bench/console/find-reviews.ts embedded` or with the address of a PostgreSQL server, and `long` for 2,000 reviews of the longest text
 * instead. Each search beside a walk over the same rows that looks at no text, in the same run.
 */
import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { createProject } from '../../server/sql/projects/projects.ts'
import { findReviews } from '../../server/sql/reviews/console-reviews.ts'
import { PLAN_LIMITS } from '../../src/contract/limits.ts'
import { openBenchDatabase } from '../service.ts'

const isLong = process.argv[3] === 'long'
const REVIEWS = isLong ? 2_000 : PLAN_LIMITS.paid.reviewsPerProject
/** About 400 characters, or 20,000. */
const WORDS_A_TEXT = isLong ? 3_400 : 70
const AT_ONCE = isLong ? 200 : 5_000
const ROUNDS = 5
const WORDS =
  'room breakfast lake quiet kind staff bread coffee view pier ferry clean bed window warm dinner fish wine garden sauna'

const database = await openBenchDatabase(process.argv[2] ?? 'embedded')
const { sql } = database
try {
  const project = await createProject(sql, { name: 'bench', plan: 'paid' })
  if (typeof project === 'string') throw new Error(project)
  const list = WORDS.split(' ')
  for (let at = 0; at < REVIEWS; at += AT_ONCE) {
    const rows = Array.from({ length: AT_ONCE }, (_, n) => {
      const number = at + n
      // No two alike.
      const text = Array.from(
        { length: WORDS_A_TEXT },
        (_, w) => list[(number * 31 + w * (7 + (number % 13))) % list.length],
      )
      return {
        id: randomUUID(),
        external: `r${number}`,
        hours: number,
        text: `${text.join(' ')} ${number}`,
        author: `Guest ${number}`,
      }
    })
    await sql`
      insert into reviews (project_id, id, env, source, external_id, rating, text, author_name, occurred_at, status)
      select ${project.id}, r.id, 'live', 'google', r.external, 5, r.text, r.author,
        now() - make_interval(hours => r.hours), 'indexed'
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id uuid, external text, hours int, text text, author text)`
  }
  await sql`analyze reviews`
  const scope = { projectId: project.id, env: 'live' as const }
  const timed = async (work: () => Promise<unknown>) => {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const before = performance.now()
      await work()
      times.push(performance.now() - before)
    }
    return Math.min(...times)
  }
  const searches: [string, Parameters<typeof findReviews>[2]][] = [
    ['newest, no filter', {}],
    ['a word of many', { q: 'sauna' }],
    ['a word of none', { q: 'helicopter' }],
    ['a word of none, and two stars', { q: 'helicopter', stars: 2 }],
    ['two stars, of which there are none', { stars: 2 }],
    ['hidden ones, of which there are none', { state: 'hidden' }],
    ['with hidden sentences, of which there are none', { state: 'sentence_hidden' }],
    ['another source', { source: 'yelp' }],
  ]
  const walk = await timed(() => sql`select count(*) from reviews where project_id = ${project.id} and rating = 2`)
  console.log(`walk over all, looking at no text: ${walk.toFixed(1)} ms`)
  for (const [name, wanted] of searches) {
    let longest = 0
    let parts = 0
    const ms = await timed(async () => {
      let after: Parameters<typeof findReviews>[4]
      let isBrokenOff = true
      for (parts = 0; isBrokenOff; parts++) {
        const before = performance.now()
        const found = await findReviews(sql, scope, wanted, 20, after)
        longest = Math.max(longest, performance.now() - before)
        after = found.next
        isBrokenOff = found.isBrokenOff && found.reviews.length < 20
      }
    })
    const part = `${parts === 1 ? 'one part' : `${parts} parts`}, ${longest.toFixed(1)} ms the longest of ${ROUNDS} rounds`
    console.log(`${name}: ${ms.toFixed(1)} ms (${(ms / walk).toFixed(2)} of a walk) in ${part}`)
  }
} finally {
  await database.close()
}
