import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import * as v from 'valibot'
import { isQuestion } from '../../server/embed/builtin/opposites.ts'
import { cosineOf } from '../../server/embed/calibrate.ts'
import type { Embedder } from '../../server/embed/embedder.ts'
import { chunk } from '../../server/indexing/chunking/chunk.ts'
import { runYielding } from '../../server/indexing/chunking/interruptible.ts'
import { sentenceStarts, sentencesAt } from '../../server/indexing/chunking/sentences.ts'
import { fuse } from '../../server/search/rank.ts'
import { createToneReader } from '../../server/sentiment/classifier.ts'
import { auc } from './measures.ts'

const row = v.object({ text: v.string() })
/** Which excerpt, by its review's hash and where it begins there; 2 fits, 1 in part, o says the opposite, 0 does not fit. */
const GRADE = /^([0-9a-f]{12}):(\d+)=([012o])$/
const FIRST = 3

interface Judged {
  query: string
  /** The excerpt's place, `review:start`, and what was found reading it. */
  excerpts: { place: string; grade: string }[]
}

export interface JudgedFigures {
  name: string
  queries: number
  pairs: number
  /** How well the cosine, how much of the query it says, and what the search orders by tell what fits from the rest. */
  auc: { cosine: number; coverage: number; fused: number }
  /** Of the judged above the floor, in the search's order: share of the first and of the first three that fit. */
  first: number
  firstThree: number
  /** Of wishes and headings: share whose first says the opposite, and of the first three; a question has none. */
  opposite: { first: number; firstThree: number } | undefined
  /** Share of queries that show something of which nothing fits, and of those with something fitting that show nothing. */
  wrong: number
  silent: number
}

/**
 * Queries of sixteen businesses over real reviews of the corpus, about eight excerpts each, read one by one. Nothing of
 * the search was chosen by them. Only what was judged is ordered, so the figures are lower than on a page, where what
 * stands first is easier: some of each query's excerpts were drawn from further back.
 */
export async function measureJudged(embedder: Embedder, folder: string, floor: number): Promise<JudgedFigures[]> {
  const all = readJudged()
  const texts = await readExcerpts(folder, all)
  const tone = createToneReader()
  const embedded = new Map<string, { vectors: Float32Array[]; words: Int32Array; tone: number }>()
  for (const [place, text] of texts) {
    const starts = await runYielding(sentenceStarts(text, 'en'))
    const vectors = await embedder.embed([text, ...sentencesAt(text, starts)], 'document')
    const words = embedder.coverage?.read(text) ?? new Int32Array()
    embedded.set(place, { vectors, words, tone: tone.of(text) })
  }
  const scored = await Promise.all(all.map(score))
  return [
    count('all', scored),
    count(
      'wishes and headings',
      scored.filter(({ asks }) => !asks),
    ),
    count(
      'questions',
      scored.filter(({ asks }) => asks),
    ),
  ]

  async function score({ query, excerpts }: Judged) {
    const [asked = []] = await embedder.embed([query], 'query')
    const words = embedder.coverage?.ask(query)
    const asks = isQuestion(query)
    const wished = asks || !words ? 0 : tone.wishedBy(query)
    const found = excerpts.map(({ place, grade }) => {
      const excerpt = embedded.get(place)
      if (!excerpt) throw new Error(`the corpus has no excerpt ${place}, or it is cut elsewhere now`)
      const cosine = Math.max(...excerpt.vectors.map((one) => cosineOf(asked, one)))
      return { grade, cosine, words: excerpt.words, tone: wished * excerpt.tone }
    })
    const said = words?.coverage(found.map((one) => one.words))
    const passing = found.filter(({ cosine }) => cosine >= floor)
    const doubt = words?.doubt((passing.length > 0 ? passing : found).map((one) => one.words))
    const lessened = found.map((one, i) => {
      const cosine = doubt?.lessen(one.cosine) ?? one.cosine
      const coverage = said?.[i] ?? 0
      return { ...one, cosine, coverage, fused: fuse({ cosine, textRank: null, coverage, tone: one.tone }) }
    })
    return { asks, excerpts: lessened }
  }

  function count(name: string, of: typeof scored): JudgedFigures {
    const pairs = of.flatMap(({ excerpts }) => excerpts)
    const fits = pairs.map(({ grade }) => grade === '2')
    const shown = of.map(({ asks, excerpts }) => ({
      asks,
      answerable: excerpts.some(({ grade }) => grade === '2'),
      grades: excerpts
        .filter(({ cosine }) => cosine >= floor)
        .sort((a, b) => b.fused - a.fused)
        .slice(0, FIRST)
        .map(({ grade }) => grade),
    }))
    const grades = shown.flatMap((one) => one.grades)
    const share = (some: readonly unknown[], all: readonly unknown[]) => some.length / all.length
    const answerable = shown.filter((one) => one.answerable)
    const some = shown.filter((one) => one.grades.length > 0)
    const wishes = some.flatMap((one) => (one.asks ? [] : [one.grades]))
    const opposites = (grades: readonly (string | undefined)[]) =>
      share(
        grades.filter((grade) => grade === 'o'),
        grades,
      )
    return {
      name,
      queries: of.length,
      pairs: pairs.length,
      auc: {
        cosine: auc(
          Float64Array.from(pairs, ({ cosine }) => cosine),
          fits,
        ),
        coverage: auc(
          Float64Array.from(pairs, ({ coverage }) => coverage),
          fits,
        ),
        fused: auc(
          Float64Array.from(pairs, ({ fused }) => fused),
          fits,
        ),
      },
      first: share(
        some.filter((one) => one.grades[0] === '2'),
        some,
      ),
      firstThree: share(
        grades.filter((grade) => grade === '2'),
        grades,
      ),
      opposite:
        wishes.length === 0
          ? undefined
          : { first: opposites(wishes.map(([first]) => first)), firstThree: opposites(wishes.flat()) },
      wrong: share(
        some.filter((one) => !one.grades.includes('2')),
        shown,
      ),
      silent: share(
        answerable.filter((one) => one.grades.length === 0),
        answerable,
      ),
    }
  }
}

function readJudged(): Judged[] {
  const lines = readFileSync(join(import.meta.dirname, 'judged-excerpts.tsv'), 'utf8')
    .trimEnd()
    .split('\n')
  return lines.map((line) => {
    const [, query = '', grades = ''] = line.split('\t')
    return {
      query,
      excerpts: grades.split(' ').map((one) => {
        const [, review, start, grade] = GRADE.exec(one) ?? []
        if (!review || !start || !grade) throw new Error(`judged-excerpts.tsv: ${one}`)
        return { place: `${review}:${start}`, grade }
      }),
    }
  })
}

/** The judged excerpts' texts: the corpus's reviews with those hashes, cut as the product cuts them. */
async function readExcerpts(folder: string, judged: readonly Judged[]): Promise<Map<string, string>> {
  const places = new Set(judged.flatMap(({ excerpts }) => excerpts.map(({ place }) => place)))
  const wanted = new Set([...places].map((place) => place.slice(0, 12)))
  const found = new Map<string, string>()
  const xz = spawn('xz', ['-dc', join(folder, 'reviews.jsonl.xz')], { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: xz.stdout, crlfDelay: Number.POSITIVE_INFINITY })) {
    const { text } = v.parse(row, JSON.parse(line))
    const id = createHash('sha256').update(text).digest('hex').slice(0, 12)
    if (!wanted.delete(id)) continue
    for (const { start, end } of await runYielding(chunk(text, 'en'))) {
      if (places.has(`${id}:${start}`)) found.set(`${id}:${start}`, text.slice(start, end))
    }
  }
  return found
}
