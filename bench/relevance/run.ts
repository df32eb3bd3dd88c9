/**
 * Relevance on the development sets of the corpus, through the product's own code.
 *
 *   npm run bench:relevance [-- --corpus=PATH] [--search | --whole | --natural | --judged | --wishes | --trades | --margin | --spelling | --headings=FILE | --tones=FILE] [--database=URL]
 *
 * First table: vectors as the configured provider makes them (PULLQUOTE_EMBEDDER …; the built-in model is always there)
 * beside BM25 and two lexical cosines. With --search a second one: the same sets stored as reviews, chunked, indexed and
 * ranked by the SQL and the fusion of /v1/query, on the embedded database or the PostgreSQL server at --database.
 *
 * With --whole only this: DSTC's reviews put together again, so that an excerpt has several sentences, compared as whole
 * excerpts and by their best sentence, with what passes at several floors.
 *
 * With --natural only this: 104 queries as people put them, over 5,140 real reviews, judged by reading.
 *
 * With --judged only this: 1,273 queries of sixteen businesses, 9,974 excerpts of real reviews read one by one.
 *
 * With --wishes only this: headings in seven languages over made-up sentences, where the opposite stands.
 *
 * With --trades only this: queries of trades that no training knows, over made-up sentences, with what each shows.
 *
 * With --margin only this: how much nearer an excerpt in another language than the query's must be, to stand before others.
 *
 * With --spelling only this: the whole search in twelve languages that the built-in model knows no word of.
 *
 * With --headings=FILE only this: headings of other people's pages, one a line, over sentences that have them word for word;
 * --language=de (fr, es, it, nl, pt) if they are not English.
 *
 * With --tones=FILE only this: praise told from blame in other people's texts; lines of 1 (praise) or 0, a tab, and the text. With
 * --reviews they are whole reviews.
 *
 * The corpus folder is --corpus, PULLQUOTE_CORPUS or ../shared/corpus; the `xz` command must be there.
 */
import { parseArgs } from 'node:util'
import { readConfig } from '../../server/config.ts'
import { createBuiltinEmbedder } from '../../server/embed/builtin/embedder.ts'
import { createEmbedder } from '../../server/embed/create.ts'
import { silent } from '../service.ts'
import { measureBySpelling } from './by-spelling.ts'
import { readDevelopmentSets } from './development-sets.ts'
import { measureHeadings } from './headings.ts'
import { measureJudged } from './judged-excerpts.ts'
import { measureLanguageMargins } from './language-margin.ts'
import { measureLanguages } from './languages-table.ts'
import { measureNatural } from './natural-queries.ts'
import { BY_SPELLING, OTHER_LANGUAGES } from './other-languages.ts'
import { measureOtherTrades } from './other-trades.ts'
import { Bm25Scorer, EmbedderScorer, type Scorer, TfIdfScorer } from './scorers.ts'
import { measureSearch } from './search-table.ts'
import { measureSentences } from './sentence-sentiment.ts'
import { measureTones } from './tones.ts'
import { type Figures, measure } from './vectors-table.ts'
import { measureWholeReviews } from './whole-reviews.ts'
import { measureWishes } from './wishes.ts'

const FLOOR = 0.66
const { values } = parseArgs({
  options: {
    corpus: { type: 'string' },
    search: { type: 'boolean' },
    whole: { type: 'boolean' },
    natural: { type: 'boolean' },
    judged: { type: 'boolean' },
    wishes: { type: 'boolean' },
    trades: { type: 'boolean' },
    margin: { type: 'boolean' },
    spelling: { type: 'boolean' },
    headings: { type: 'string' },
    language: { type: 'string', default: 'en' },
    tones: { type: 'string' },
    reviews: { type: 'boolean', default: false },
    database: { type: 'string' },
  },
})
const folder = values.corpus ?? process.env.PULLQUOTE_CORPUS ?? '../shared/corpus'
const sets = readDevelopmentSets(folder)
const sentences = sets.tasks.flatMap((task) => task.documents)

const builtin = await createBuiltinEmbedder()
const { embedder: configured } = readConfig(process.env)
const chosen = configured.provider === 'builtin' ? builtin : await createEmbedder(configured, { fetch, log: silent })

const cell = (value: number | undefined, digits = 3) => (value === undefined ? '–' : value.toFixed(digits))
const row = (cells: string[]) => console.log(`| ${cells.join(' | ')} |`)
function head(cells: string[]): void {
  row(cells)
  row(cells.map(() => '---'))
}

if (values.whole) {
  await whole()
  process.exit()
}
if (values.natural) {
  await natural()
  process.exit()
}

if (values.judged) {
  await judged()
  process.exit()
}

if (values.wishes) {
  await wishes()
  process.exit()
}

if (values.trades) {
  await trades()
  process.exit()
}

if (values.spelling) {
  await spelling()
  process.exit()
}

if (values.headings) {
  head(['language', 'headings', 'below the floor', 'below the word tier too'])
  for (const isTold of [false, true]) {
    const { lowest, ...figures } = await measureHeadings(builtin, values.headings, values.language, isTold)
    row([
      `${values.language}${isTold ? ', told to the model' : ''}`,
      ...[figures.headings, figures.belowFloor, figures.silent].map(String),
    ])
    if (isTold) for (const { heading, cosine } of lowest) console.log(`${cell(cosine)} ${heading}`)
  }
  process.exit()
}

if (values.tones) {
  head(['praise', 'blame', 'AUC', 'praise called negative', 'blame called negative', 'blame called positive'])
  const { praise, blame, ...shares } = measureTones(values.tones, values.reviews)
  row([String(praise), String(blame), ...Object.values(shares).map((share) => cell(share))])
  process.exit()
}

if (values.margin) {
  await margin()
  process.exit()
}

const scorers: { scorer: Scorer; floor?: number }[] = [
  { scorer: new Bm25Scorer() },
  { scorer: new TfIdfScorer(sentences, false) },
  { scorer: new TfIdfScorer(sentences, true) },
  { scorer: new EmbedderScorer(builtin.id, builtin), floor: FLOOR },
]
if (chosen !== builtin) scorers.push({ scorer: new EmbedderScorer(chosen.id, chosen), floor: FLOOR })

console.log(
  'Development figures: the sets were looked at while choosing, and the embedding in the package was trained on reviews of the same files.\n',
)
head([
  'vectors',
  'DSTC MAP / nDCG@10',
  'aspect nDCG@10',
  'SubjQA MRR',
  'STS-B',
  'tone AUC',
  'pairs AUC',
  `best F0.5 at`,
  'precision / recall at the floor',
  'off-domain silent',
])
for (const { scorer, floor } of scorers) {
  const f: Figures = await measure(scorer, sets, floor)
  row([
    f.name,
    `${cell(f.dstcMap)} / ${cell(f.dstcNdcg)}`,
    cell(f.aspectNdcg),
    cell(f.subjqaMrr),
    cell(f.stsb),
    cell(f.tone),
    cell(f.auc),
    cell(f.bestFloor),
    `${cell(f.precision, 2)} / ${cell(f.recall, 2)}`,
    cell(f.silent, 2),
  ])
}

console.log('\nOther languages, our own sentences: each language’s queries over its own 72 sentences\n')
head(['language', 'by', 'MAP', 'MRR', 'precision / recall at the floor'])
const cosineScorers = scorers.filter(({ scorer }) => !(scorer instanceof TfIdfScorer))
const lexical = {
  scorer: new TfIdfScorer(
    OTHER_LANGUAGES.flatMap(({ documents }) => documents),
    true,
  ),
}
for (const { scorer, floor } of [lexical, ...cosineScorers] as typeof scorers) {
  for (const f of await measureLanguages(scorer, floor)) {
    row([f.language, f.name, cell(f.map), cell(f.rr), `${cell(f.precision, 2)} / ${cell(f.recall, 2)}`])
  }
}

console.log('\nSentiment of single sentences, by the polarities of the aspect sets\n')
head([
  'set',
  'sentences',
  'praise against blame',
  'blame called negative',
  'blame called positive',
  'praise called negative',
])
for (const f of measureSentences(sets.toned)) {
  const shares = [f.binary, f.blameCaught, f.blamePassed, f.praiseLost]
  row([f.source, String(f.sentences), ...shares.map((share) => cell(share))])
}

if (values.search) {
  const {
    orders,
    gains,
    passing,
    silent: quiet,
    leaks,
  } = await measureSearch(values.database ?? 'embedded', chosen, sets)
  console.log(`\nThe whole search, vectors by ${chosen.id}\n`)
  head(['order', 'DSTC MAP / nDCG@10', 'aspect nDCG@10', 'SubjQA MRR'])
  for (const o of orders) {
    row([o.name, `${cell(o.dstcMap)} / ${cell(o.dstcNdcg)}`, cell(o.aspectNdcg), cell(o.subjqaMrr)])
  }
  console.log()
  head(['the shipped order against', 'task', 'gain', '95 % of resampled sets'])
  for (const g of gains) row([g.over, g.task, cell(g.gain, 4), `${cell(g.low, 4)} to ${cell(g.high, 4)}`])
  console.log()
  head(['what passes', 'rule', 'precision', 'recall', 'queries with no result'])
  for (const p of passing) row([p.task, p.rule, cell(p.precision), cell(p.recall), cell(p.empty)])
  console.log(`\nOff-domain queries without a result: ${cell(quiet, 2)}; with one: ${leaks.join(', ')}`)
}
await builtin.close?.()
if (chosen !== builtin) await chosen.close?.()

async function natural(): Promise<void> {
  const every = await measureNatural(chosen, folder, FLOOR)
  head(['by', 'queries', 'reviews', 'first three right', 'nothing right', 'silent though answerable', 'silent rightly'])
  for (const f of every) {
    const shares = [f.precision, f.wrong, f.silentThoughAnswerable, f.silentRightly]
    row([f.name, String(f.queries), String(f.reviews), ...shares.map((share) => cell(share))])
  }
  for (const { name, unjudged } of every)
    if (unjudged.length > 0) console.log(`\nNot judged, ${name}: ${unjudged.join(', ')}`)
}

async function judged(): Promise<void> {
  head([
    'queries',
    'pairs',
    'AUC: cosine',
    'coverage',
    'fused',
    'first fits',
    'first three fit',
    'opposite first',
    'of the first three',
    'nothing fits',
    'silent though something fits',
  ])
  for (const f of await measureJudged(chosen, folder, FLOOR)) {
    const shares = [
      f.auc.cosine,
      f.auc.coverage,
      f.auc.fused,
      f.first,
      f.firstThree,
      f.opposite?.first,
      f.opposite?.firstThree,
      f.wrong,
      f.silent,
    ]
    row([`${f.name}: ${f.queries}`, String(f.pairs), ...shares.map((share) => cell(share))])
  }
}

async function wishes(): Promise<void> {
  head(['headings', 'pairs', 'ordered by', 'the answer before the opposite', 'MAP'])
  for (const { name, pairs, orders } of await measureWishes(chosen)) {
    for (const o of orders) row([name, String(pairs), o.name, cell(o.answerFirst), cell(o.map)])
  }
}

async function spelling(): Promise<void> {
  head(['', 'sentences a review', 'MAP of what is shown', 'first right', 'precision', 'silent'])
  for (const f of await measureBySpelling(values.database ?? 'embedded', chosen, BY_SPELLING))
    row([f.language, String(f.sentences), cell(f.map), cell(f.first, 2), cell(f.precision, 2), cell(f.silent, 2)])
}

async function trades(): Promise<void> {
  const f = await measureOtherTrades(chosen, FLOOR)
  for (const { text, first } of f.shown) {
    console.log(
      `${text}\n${first.map((one) => `  ${one.right ? '+' : '-'} ${cell(one.cosine, 2)} ${one.sentence}\n`).join('')}`,
    )
  }
  head([
    'queries',
    'right among the shown',
    'first right',
    'opposite first',
    'answer below the floor',
    'silent rightly',
  ])
  const shares = [f.precision, f.firstRight, f.oppositeFirst, f.unanswered, f.silentRightly]
  row([String(f.queries), ...shares.map((share) => cell(share))])
}

async function margin(): Promise<void> {
  const task = sets.tasks.find(({ name }) => name === 'dstc')
  if (!task || !builtin.languages) throw new Error('The development sets have no task dstc')
  head([
    'margin',
    'real MAP',
    'halves of the businesses',
    'another language first',
    'made-up MAP',
    'first right',
    'and own',
  ])
  const scorer = new EmbedderScorer(builtin.id, builtin)
  for (const f of await measureLanguageMargins(scorer, builtin.languages, task, folder)) {
    const shares = [f.real.otherFirst, f.made.map, f.made.firstRight, f.made.firstRightAndOwn]
    const halves = f.real.halves.map((half) => cell(half)).join(' / ')
    row([f.margin.toFixed(2), cell(f.real.map, 4), halves, ...shares.map((share) => cell(share))])
  }
}

async function whole(): Promise<void> {
  const task = sets.tasks.find(({ name }) => name === 'dstc')
  if (!task) throw new Error('The development sets have no task dstc')
  const { figures, gain, vectors } = await measureWholeReviews(
    values.database ?? 'embedded',
    chosen,
    task,
    sets.offDomain,
  )
  head(['compared', 'nDCG@10', 'floor', 'precision', 'recall', 'F0.5', 'silent on answerable', 'silent off-domain'])
  for (const { name, ndcg, atFloors } of figures) {
    for (const f of atFloors) {
      const shares = [f.precision, f.recall, f.half, f.silent, f.offDomain]
      row([name, cell(ndcg, 4), cell(f.floor, 2), ...shares.map((share) => cell(share))])
    }
  }
  console.log(
    `\nGain ${cell(gain.gain, 4)} (95 %: ${cell(gain.low, 4)} to ${cell(gain.high, 4)}); ${cell(vectors, 2)} vectors an excerpt`,
  )
}
