import pc from 'picocolors'
import stringWidth from 'string-width'
import * as assert from 'uvu/assert'
import { closest } from '../../../src/cli/errors/closest.ts'
import { keyTable } from '../../../src/cli/keys.ts'
import { ago, dayAndAge } from '../../../src/cli/output/format.ts'
import { table } from '../../../src/cli/output/table.ts'
import { terminalOf } from '../../../src/cli/output/terminal.ts'
import { oneLine, truncate } from '../../../src/cli/output/text.ts'
import { fieldLines, hintLines, wrapHanging } from '../../../src/cli/output/wrap.ts'
import { projectDetails } from '../../../src/cli/projects.ts'
import { queryHeading, queryResults } from '../../../src/cli/query/results.ts'
import type { ListedKey } from '../../../src/contract/key.ts'
import type { QueryResponse, QueryResult } from '../../../src/contract/query.ts'
import { floorText, scoreBesideFloor } from '../../../src/contract/score-text.ts'
import { exampleProject } from '../../client/example-answers.ts'
import { suite } from '../../suite.ts'

const test = suite('what the terminal shows')
const style = pc.createColors(false)

const rows = [
  { name: 'short', count: 7 },
  { name: '湖を眺めながらのサウナが最高でした', count: 1234 },
]
const columns = [
  { heading: 'NAME', value: (row: (typeof rows)[0]) => row.name, flexible: true },
  { heading: 'COUNT', value: (row: (typeof rows)[0]) => String(row.count), align: 'right' as const },
]

test('what a project used of its quota is shown, and last month for its invoice; earlier servers do not tell', () => {
  const terminal = { interactive: false, columns: 80, style }
  const used = { this_month: 1_234, last_month: 56_789 }
  const details = projectDetails(exampleProject({ plan: 'paid', computed_queries: used }), terminal)
  assert.match(details, /computed queries +1,234 of 2,000,000 this month, 56,789 last month \(UTC\)/)
  assert.not.match(projectDetails(exampleProject(), terminal), /computed queries/)
})

test('a floor is shown as it is set, and a score below it as one that is', () => {
  assert.equal([0.66, 0.5, 1, 0, 0.655, 0.6649].map(floorText), ['0.66', '0.50', '1.00', '0.00', '0.655', '0.6649'])
  const details = projectDetails(exampleProject({ similarity_floor: 0.655 }), {
    interactive: false,
    columns: 80,
    style,
  })
  assert.match(details, /relevance floor +0\.655\n/)
  assert.is(scoreBesideFloor(0.6571, 0.66), '0.657')
  assert.is(scoreBesideFloor(0.6571, 0.65), '0.66')
})

test('a table fits the window, wide letters included', () => {
  for (const width of [20, 40, 80]) {
    const text = table(rows, columns, { interactive: true, columns: width, style })
    for (const line of text.split('\n')) assert.ok(stringWidth(line) <= width, `${width}: ${line}`)
  }
})

test('a narrow table shortens, a wide one shows everything', () => {
  assert.match(table(rows, columns, { interactive: true, columns: 24, style }), /…/)
  assert.not.match(table(rows, columns, { interactive: true, columns: 80, style }), /…/)
})

test('a table with more columns than the window has room for shows each row as lines of its own', () => {
  const wide = [1, 2, 3, 4].map((n) => ({ heading: `COLUMN ${n}`, value: () => `value number ${n} of this row` }))
  const text = table([{}, {}], wide, { interactive: true, columns: 50, style })
  const record = [1, 2, 3, 4].map((n) => `COLUMN ${n}  value number ${n} of this row`).join('\n')
  assert.is(text, `${record}\n\n${record}`)
  const narrow = table([{}], wide, { interactive: true, columns: 30, style })
  assert.is(narrow.split('\n').slice(0, 2).join('\n'), 'COLUMN 1  value number 1 of\n          this row')
})

test('a list of keys fits 80 columns as a table and 50 as lines; pipes have whole ids and times', () => {
  const at = '2026-01-05T10:00:00.000Z'
  const key: ListedKey = {
    ...{ id: '3f0c9a4e-8f55-4d0b-9a54-0f6f5b1f7f10', kind: 'secret', env: 'live', project: 'hotel', hint: 'Ab12' },
    ...{ name: 'commands on example-machine', created_at: at, last_used_at: null, expires_at: at, revoked_at: null },
  }
  const now = new Date('2026-01-05T09:00:00Z')
  for (const width of [50, 80, 120]) {
    const text = keyTable([key], now, { interactive: true, columns: width, style })
    for (const line of text.split('\n')) assert.ok(stringWidth(line) <= width, `${width}: ${line}`)
    assert.match(text, width === 50 ? /^NAME +commands on example-machine$/m : /^3f0c9a4e +hotel +sk_live_…Ab12/m)
    assert.match(text, /never/)
    assert.match(text, /in 60 min/)
  }
  const piped = keyTable([key], now, { interactive: false, columns: Number.POSITIVE_INFINITY, style })
  const name = 'commands on example-machine'
  assert.equal(piped.split('\t'), [key.id, 'hotel', 'sk_live_…Ab12', at, 'active', name, 'never', at])
})

test('a project’s details and what to try fit 50 columns without breaking a word, and commands stay whole', () => {
  const project = exampleProject()
  const details = projectDetails(project, { interactive: true, columns: 50, style })
  assert.match(details, /allowed origins {5}none: publishable keys work\n {22}nowhere yet\n/)
  const hint = 'without one, import a Google Takeout: pullquote reviews import takeout.zip --env test'
  assert.equal(hintLines(hint, { isFirst: true, columns: 50 }), [
    '  Try: without one, import a Google Takeout:',
    '       pullquote reviews import takeout.zip --env test',
  ])
  const words = 'set PULLQUOTE_OPERATOR_TOKEN to the value that the server was started with'
  assert.equal(hintLines(words, { isFirst: false, columns: 50 }), [
    '    or set PULLQUOTE_OPERATOR_TOKEN to the value',
    '       that the server was started with',
  ])
  assert.equal(hintLines(hint, { isFirst: false, columns: 120 }), [`    or ${hint}`])
})

test('in a pipe fields are separated by tabs, without heading', () => {
  const text = table(rows, columns, { interactive: false, columns: Number.POSITIVE_INFINITY, style })
  assert.is(text, 'short\t7\n湖を眺めながらのサウナが最高でした\t1234')
})

const found: QueryResult = {
  score: 0.6588,
  matched: true,
  excerpt: 'The candles made it romantic.',
  excerpt_id: 'e-1',
  highlight: { start: 18, end: 47 },
  review: {
    ...{ id: 'id-1', rating: 4, author_name: 'Wilhelmina Featherstonehaugh-Smythe', author_avatar_url: null },
    ...{ source: 'trustpilot', occurred_at: '2026-01-05T10:00:00.000Z', url: null, metadata: {} },
    text: `We came too late. The candles made it romantic. ${'And so on for long. '.repeat(9)}`,
  },
}

test('a result fits the window, its second lines under its first', () => {
  const answer: QueryResponse = { results: [found], match: 'query', took_ms: 1, cached: false, badge: false }
  const view = { answer, q: 'romantic', now: new Date('2026-04-01T00:00:00Z'), floor: 0.66 }
  for (const width of [40, 60, 80, 140]) {
    const lines = queryResults(view, { interactive: true, columns: width, style }).split('\n')
    for (const line of lines) assert.ok(stringWidth(line) <= width, `${width}: ${line}`)
    assert.match(lines[0] ?? '', /^1\. {2}★★★★☆ 0\.659 < 0\.66/)
    for (const line of lines.slice(1)) assert.match(line, /^ {4}\S/)
  }
})

test('as many matches as were asked for are the best ones, since there may be more', () => {
  const heading = (count: number, limit: number) => {
    const answer: QueryResponse = {
      ...{ results: Array.from({ length: count }, () => found), match: 'query' as const },
      ...{ took_ms: 1, cached: false, badge: false },
    }
    const view = { answer, q: 'romantic', now: new Date('2026-04-01T00:00:00Z'), floor: 0.66, limit }
    return queryHeading(view, { interactive: false, columns: 80, style })
  }
  assert.match(heading(5, 5), /The 5 best matches for “romantic”/)
  assert.match(heading(1, 1), /The best match for “romantic”/)
  assert.match(heading(4, 5), /4 matches for “romantic”/)
  assert.match(heading(1, 5), /1 match for “romantic”/)
})

test('text is cut between letters as people see them', () => {
  assert.is(truncate('👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 5), '👨‍👩‍👧‍👦👨‍👩‍👧‍👦…')
  assert.is(truncate('abc', 3), 'abc')
})

test('escape sequences and bidi overrides do not reach the terminal', () => {
  assert.is(oneLine('a\u001b]0;title\u0007b\u202ec\nd'), 'a]0;titlebc d')
})

test('colour is for terminals, and NO_COLOR is heeded', () => {
  const tty = Object.assign(Object.create(process.stdout), { isTTY: true, columns: 100 })
  const pipe = Object.assign(Object.create(process.stdout), { isTTY: undefined })
  assert.is(terminalOf(tty, { TERM: 'xterm' }).style.isColorSupported, true)
  assert.is(terminalOf(tty, { TERM: 'xterm', NO_COLOR: '1' }).style.isColorSupported, false)
  assert.is(terminalOf(tty, { TERM: 'dumb' }).style.isColorSupported, false)
  assert.is(terminalOf(tty, {}).style.isColorSupported, process.platform === 'win32', 'as in a dumb one')
  assert.is(terminalOf(pipe, {}).style.isColorSupported, false)
  assert.is(terminalOf(pipe, { FORCE_COLOR: '1' }).style.isColorSupported, true)
})

test('times are relative and absolute', () => {
  const now = new Date('2026-04-01T00:00:00Z')
  assert.is(dayAndAge('2026-03-12T10:00:00Z', now), '12 Mar 2026 (2 weeks ago)')
  assert.is(dayAndAge(null, now), 'no date')
  assert.is(ago(new Date('2026-03-31T23:59:30Z'), now), 'just now')
  assert.is(ago(new Date('2025-03-01T00:00:00Z'), now), '1 year ago')
})

test('a near word is found, a far one is not', () => {
  assert.is(closest('hotel-aurra', ['hotel-aurora', 'cafe']), 'hotel-aurora')
  assert.is(closest('lsit', ['list', 'show']), 'list')
  assert.is(closest('zebra', ['list', 'show']), undefined)
  assert.is(closest('x', ['list']), undefined)
})

test('fields stand below each other and keep their words, and ids, whole in narrow windows', () => {
  const id = '3d49ee05-083d-4eb0-a0bc-00fdfeed7234'
  const fields = [
    ['relevance floor', '0.66'],
    ['allowed origins', 'none: publishable keys work nowhere yet'],
    ['id', id],
  ] as const
  const terminal = (columns: number) => ({
    ...terminalOf(process.stdout, { NO_COLOR: '1' }),
    interactive: true,
    columns,
  })
  assert.equal(fieldLines(fields, terminal(80), 2), [
    '  relevance floor  0.66',
    '  allowed origins  none: publishable keys work nowhere yet',
    `  id               ${id}`,
  ])
  assert.equal(fieldLines(fields, terminal(50), 2), [
    '  relevance floor  0.66',
    '  allowed origins  none: publishable keys work\n                   nowhere yet',
    `  id\n    ${id}`,
  ])
  assert.equal(fieldLines([['name', 'x '.repeat(200).trim()]], terminal(Number.POSITIVE_INFINITY)).length, 1)
})

test('a line of a report goes on two columns deeper', () => {
  assert.is(wrapHanging('  Note: dates read as day/month: 2 rows', 24), '  Note: dates read as\n    day/month: 2 rows')
  assert.is(wrapHanging('  short', 24), '  short')
  assert.is(wrapHanging('a.csv → project hotel, live', 16), 'a.csv →\n  project hotel,\n  live')
})

test.run()
