import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import * as v from 'valibot'

const row = v.object({ set: v.string(), text: v.string() })
/** Of each trade: which files of the corpus, and how many reviews of each, the first by hash. */
const TRADES: Record<string, { sets: string[]; each: number }> = {
  hotel: { sets: ['tokyo_hotels_tripadvisor', 'boston_hotels_booking', 'caribbean_mexico_hotels_mie451'], each: 430 },
  restaurant: { sets: ['zomato_bangalore', 'yelp_academic_sample2', 'singapore_restaurants'], each: 430 },
  product: { sets: ['amazon_alexa', 'amazon_popcorn_etc', 'amazon_finefoods_sample', 'laptops_flipkart'], each: 320 },
  service: { sets: ['yelp_ucd_salon', 'uber_app', 'yelp_app_reviews', 'airlines_skytrax_af'], each: 320 },
}
const [SHORTEST, LONGEST] = [60, 900]

export interface PooledReview {
  id: string
  trade: string
  text: string
}

/** The reviews that the natural queries are asked over: always the same ones, so that the repository needs only their hashes. */
export async function readNaturalPool(folder: string): Promise<PooledReview[]> {
  const bySet = new Map<string, { id: string; text: string }[]>()
  for (const set of Object.values(TRADES).flatMap(({ sets }) => sets)) bySet.set(set, [])
  const xz = spawn('xz', ['-dc', join(folder, 'reviews.jsonl.xz')], { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: xz.stdout, crlfDelay: Number.POSITIVE_INFINITY })) {
    const { set, text } = v.parse(row, JSON.parse(line))
    if (text.length <= SHORTEST || text.length >= LONGEST) continue
    bySet.get(set)?.push({ id: createHash('sha256').update(text).digest('hex').slice(0, 12), text })
  }
  return Object.entries(TRADES).flatMap(([trade, { sets, each }]) =>
    sets.flatMap((set) => {
      const reviews = [...new Map((bySet.get(set) ?? []).map((review) => [review.id, review])).values()]
      return reviews
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, each)
        .map((review) => ({ ...review, trade }))
    }),
  )
}
