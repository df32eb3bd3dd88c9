import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import type { Judgement } from '../../../src/cli/tune/floors.ts'
import { type JudgementChoice, type JudgementPrompts, promptForJudgements } from '../../../src/cli/tune/judgements.ts'
import type { ExplainedExcerpt } from '../../../src/contract/explain.ts'
import { exampleCreatedKey, exampleProject } from '../../client/example-answers.ts'
import { suite } from '../../suite.ts'
import { startFakeServer } from '../fake-server.ts'
import { KEYS, noTerminal, runInTerminal, type Step } from '../in-terminal.ts'
import { newHome } from '../run-cli.ts'

const test = suite('judging reviews one by one')

const near = (review: string, cosine: number | null = 0.7): ExplainedExcerpt => ({
  excerpt_id: `e-${review}`,
  review_id: review,
  excerpt: `What ${review} says.`,
  cosine,
  sentence: null,
  words_matched: [],
  words_needed: 1,
  text_rank: null,
  coverage: null,
  adds: null,
  passes_by: 'floor',
  hidden: false,
  complaint: false,
  other_language: false,
  fused: 0.03,
  place: 1,
})

/** Asks with answers from lists, and keeps what was shown, asked and kept. */
async function asked(
  queries: string[],
  verdicts: JudgementChoice[],
  results: ExplainedExcerpt[],
  known: string[] = [],
) {
  const questions: string[] = []
  const shown: string[] = []
  const kept: Judgement[] = []
  const judge: JudgementPrompts = {
    query: async () => queries.shift() ?? '',
    fits: async (question) => {
      questions.push(question)
      return verdicts.shift() ?? 'skip'
    },
    show: (line) => shown.push(line),
  }
  const keep = async (one: Judgement) => void kept.push(one)
  const judged = await promptForJudgements({ judge, nearest: async () => results, known, keep })
  return { judged, questions, shown, kept }
}

test('each review that comes near is shown and asked about, and every answer is kept at once', async () => {
  const { judged, questions, shown, kept } = await asked([' sea bass '], ['yes', 'no'], [near('a'), near('b', 0.5)])
  assert.equal(questions, ['Does this fit “sea bass”? (1 of 2)', 'Does this fit “sea bass”? (2 of 2)'])
  assert.equal(shown, ['“What a says.”', '“What b says.”'])
  assert.equal(kept, [
    { query: 'sea bass', review: 'a', fits: true },
    { query: 'sea bass', review: 'b', fits: false },
  ])
  assert.equal(
    judged.map(({ excerpts }) => excerpts),
    [[{ cosine: 0.7, matchesHalf: false }], [{ cosine: 0.5, matchesHalf: false }]],
  )
})

test('what nobody can say is left out, and enough of a query goes to the next one', async () => {
  const results = [near('a'), near('b'), near('c')]
  const { kept, questions } = await asked(['one', 'two'], ['skip', 'next', 'yes', 'next'], results)
  assert.equal(kept, [{ query: 'two', review: 'a', fits: true }])
  assert.is(questions.length, 4)
})

test('what was judged before is not asked again, in this run and from an earlier one', async () => {
  const { questions, shown } = await asked(['x', 'x'], ['yes'], [near('a'), near('b')], ['["x","b"]'])
  assert.equal(questions, ['Does this fit “x”? (1 of 1)'])
  assert.is(shown.at(-1), 'You have judged all reviews that are close to this.')
})

test('escape sequences of a review do not reach the terminal', async () => {
  const { shown } = await asked(['x'], ['yes'], [{ ...near('a'), excerpt: 'Fine.\u001b[2J\nYes.' }])
  assert.is(shown[0], '“Fine.[2J Yes.”')
})

const project = exampleProject({ reviews: { live: 2, test: 0 } })
const explanation = { words: [], floor: 0.4, word_tier: 0.27, min_rating: 4, limit: 8 }

/** `projects tune` on a terminal, against a server that knows two reviews. */
async function tuned(home: string, flags: string[], steps: Step[]) {
  const server = await startFakeServer(({ path }) => {
    if (path === '/explain') {
      return { body: { ...explanation, results: [near('a', 0.8), near('b', 0.5)], review: excerptsOf('a') } }
    }
    if (path === '/operator/keys') {
      return { body: exampleCreatedKey() }
    }
    return { body: project }
  })
  const env = { PULLQUOTE_OPERATOR_TOKEN: 't'.repeat(40) }
  try {
    return await runInTerminal(home, ['projects', 'tune', 'hotel', ...flags, '--url', server.url], steps, { env })
  } finally {
    await server.close()
  }
}
const excerptsOf = (id: string) => ({ id, appears: true, removed_by: [], excerpts: [near(id, 0.8)] })

const SEARCH = /What would a visitor search for\?/
const FITS = /next query/
const EXPECTED = { query: 'sea bass', review: 'a', fits: true }

if (noTerminal) test.skip('on a terminal', noTerminal)
else {
  test('on a terminal, answers lead to a floor and are kept in a file', async () => {
    const home = newHome()
    const file = join(home, 'judged.jsonl')
    // A last line without its end, as an editor may leave it.
    writeFileSync(file, JSON.stringify({ query: 'tea', review: 'a', fits: true }))
    const { code, shown } = await tuned(
      home,
      ['--save', file],
      [
        { seen: SEARCH, type: `sea bass${KEYS.enter}` },
        { seen: FITS, type: KEYS.enter },
        { seen: FITS, type: `n` },
        { seen: /❯ no/, type: KEYS.enter },
        { seen: SEARCH, type: KEYS.enter },
      ],
    )
    assert.is(code, 0, shown)
    // Wrapped at the width of the terminal, wherever the folder's name lets it.
    const flowing = shown.replace(/\s+/g, ' ')
    assert.match(flowing, /judged\.jsonl contains 1 judgement, which count too/)
    assert.match(shown, /“What a says\.”/)
    assert.match(shown, /0\.66 +2 +0 +0 +★★★★★ +now/)
    assert.match(flowing, /Too few judgements to change the floor: .*It stays 0\.66/)
    assert.not.match(shown, /projects set|suggested/)
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    assert.equal(
      lines.slice(1).map((line) => JSON.parse(line)),
      [EXPECTED, { query: 'sea bass', review: 'b', fits: false }],
    )
  })

  for (const [name, key] of Object.entries({ 'Ctrl-C': KEYS.ctrlC, 'Ctrl-D': KEYS.ctrlD })) {
    test(`${name} in the middle keeps the answers and says how to go on`, async () => {
      const home = newHome()
      const file = join(home, 'judged.jsonl')
      const { code, shown } = await tuned(
        home,
        ['--save', file],
        [
          { seen: SEARCH, type: `sea bass${KEYS.enter}` },
          { seen: FITS, type: KEYS.enter },
          { seen: FITS, type: key },
        ],
      )
      assert.is(code, 130, shown)
      assert.match(shown.replace(/\s+/g, ' '), /interrupted; \S+judged\.jsonl contains 1 judgement/)
      assert.match(shown.replace(/\s+/g, ' '), /run the same command again to continue/)
      assert.equal(JSON.parse(readFileSync(file, 'utf8')), EXPECTED)
    })
  }

  test('without --save it says before the first question that answers are not kept', async () => {
    const home = newHome()
    const { code, shown } = await tuned(home, [], [{ seen: SEARCH, type: KEYS.ctrlC }])
    assert.is(code, 130)
    assert.match(shown, /use --save FILE[\s\S]*search for\?[\s\S]*nothing was judged/)
    assert.not(existsSync(join(home, 'judged.jsonl')))
  })
}

test.run()
