/** The commands of the README's five minutes and of docs/import.md do what a reader expects of them. */
import { copyFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { missingTool } from '../templates/checkers.ts'
import { fencedBlocks } from './markdown.ts'
import { openShell, type Shell } from './shell.ts'

const root = join(import.meta.dirname, '..', '..')
const templates = join(root, 'templates')

/** The command lines of a page's shell blocks that have `word` in them; those that a `\` continues are one. */
function commands(page: string, word: string): string[] {
  const blocks = fencedBlocks(readFileSync(join(root, page), 'utf8'))
  const chosen = blocks.filter(({ language, text }) => language === 'sh' && text.includes(word))
  return chosen.flatMap(({ text }) => text.replaceAll('\\\n', ' ').split('\n'))
}

/** What each command must say, in the order of the page; a command without an expectation fails. */
const EXPECTED: [command: RegExp, says: RegExp][] = [
  [/npm start/, /serves at http/],
  [/projects create/, /allowed origins +https:\/\/www\.hotel\.example/],
  [/keys create/, /^svc_sk_live_\w{32}$/m],
  [/reviews push/, /[1-9]\d* new|[1-9]\d* inserted|[1-9]\d* reviews/],
  [/reviews import templates/, /[1-9]\d* (inserted|updated)/i],
  [/reviews export checked/, /Wrote [1-9]\d* reviews to checked\.jsonl/],
  [/^jq .*checked\.jsonl > approved\.jsonl/, /^\s*$/],
  [/reviews import approved/, /live: \d+ inserted, [1-9]\d* updated/],
  [/reviews import takeout/, /[1-9]\d* (inserted|updated)/i],
  [/trustpilot\.csv --dry-run --explain/, /trustpilot/],
  [/pullquote query/, /★|stars/],
  [/pullquote snippet/, /<pullquote-reviews .*data-key="svc_pk_live_\w{32}"[^\n]*\n<script async src="http/],
  [/curl .*\/v1\/query/, /"match":"query"/],
  [/curl .*\/imports/, /"dry_run":true/],
]

const test = suite('commands of the pages')
let shell: Shell
let key = ''

const missing = missingTool('bash', 'curl', 'openssl', 'jq')
if (missing !== undefined) test.skip('every command is run', `${missing} is not installed`)
else {
  test.before(async () => {
    shell = await openShell()
    const at = (name: string) => join(shell.dir, name)
    // The page is read in a checkout, where these are.
    cpSync(templates, at('templates'), { recursive: true })
    copyFileSync(join(templates, 'demo', 'reviews.json'), at('reviews.json'))
    const takeout = readFileSync(join(templates, 'import', 'samples', 'google-takeout.json'))
    writeFileSync(at('takeout.zip'), zipSync({ 'Takeout/Google Business Profile/hotel/reviews.json': takeout }))
    copyFileSync(join(templates, 'import', 'samples', 'trustpilot.csv'), at('trustpilot.csv'))
    copyFileSync(join(templates, 'import', 'reviews.csv'), at('reviews.csv'))
  })
  test.after(() => shell.close())

  for (const [page, word] of [
    ['README.md', 'npm start'],
    ['docs/import.md', 'reviews import'],
    ['docs/import.md', '/imports'],
  ] as const) {
    for (const command of commands(page, word)) {
      test(`${page}: ${command}`, async () => {
        const expected = EXPECTED.find(([pattern]) => pattern.test(command))
        assert.ok(expected, 'nothing is expected of it')
        await shell.indexed()
        const { code, stdout, stderr } = await shell.run(
          command.replace('svc_sk_live_…', key).replace('$PULLQUOTE_KEY', key),
        )
        assert.is(code, 0, stderr)
        assert.match(`${stdout}\n${stderr}`, expected[1])
        key = /svc_sk_live_\w{32}/.exec(stdout)?.[0] ?? key
      })
    }
  }
}

test.run()
