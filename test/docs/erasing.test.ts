/** The commands of docs/security.md that delete what a person wrote or what has become old. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { missingTool } from '../templates/checkers.ts'
import { fencedBlocks } from './markdown.ts'
import { openShell } from './shell.ts'

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'security.md'), 'utf8')
const [erasing, keeping, ...others] = fencedBlocks(page).filter(({ language }) => language === 'sh')

const review = (author: string) =>
  JSON.stringify({
    external_id: author,
    source: 'google',
    author_name: author,
    text: `Warm bread, says ${author}.`,
    occurred_at: '2026-01-05T10:00:00Z',
  })
const REVIEWS = [review('Ann Example'), review('Ann Other')].join('\n')

/** What runs a script and returns its output. */
async function shellRunner() {
  const shell = await openShell({ PULLQUOTE_DEFAULT_PLAN: 'paid' })
  const run = async (script: string) => {
    const { code, stdout, stderr } = await shell.run(script)
    assert.is(code, 0, stderr)
    return stdout
  }
  return { run, close: () => shell.close() }
}

const test = suite('docs/security.md')
const missing = missingTool('bash', 'curl', 'jq', 'xargs')
if (missing !== undefined) test.skip('a person is erased', `${missing} is not installed`)
else
  test('a person is erased in all projects and environments, and nobody else', async () => {
    assert.ok(erasing && others.length === 0, 'two blocks')
    const { run, close } = await shellRunner()
    try {
      await run('pullquote serve; pullquote projects create Hotel; pullquote projects create "Café 2"')
      const everywhere = (command: string) =>
        `for env in live test; do for project in Hotel "Café 2"; do ${command} --project "$project" --env $env; done; done`
      await run(`printf '%s' '${REVIEWS}' > reviews.jsonl; ${everywhere('pullquote reviews push reviews.jsonl')}`)
      // As "Approving by hand" shortens names on the way to the pages.
      const shortened = review('Ann Example').replace('"author_name":"Ann Example"', '"author_name":"Ann"')
      await run(
        `printf '%s' '${shortened}' > short.jsonl; pullquote reviews push short.jsonl --project Hotel --env live`,
      )
      await run(erasing?.text ?? '')
      const left = await run(everywhere('pullquote reviews list'))
      assert.is(left.match(/says Ann Other/g)?.length, 4, left)
      assert.not.match(left, /Ann Example/)
    } finally {
      await close()
    }
  })

if (missing !== undefined) test.skip('what is older than two years goes', `${missing} is not installed`)
else
  test('what is older than two years goes, and nothing else', async () => {
    assert.ok(keeping)
    const { run, close } = await shellRunner()
    try {
      await run('pullquote serve; pullquote projects create hotel')
      const lately = REVIEWS.replaceAll(
        '2026-01-05',
        new Date(Date.now() - 700 * 86_400_000).toISOString().slice(0, 10),
      )
      const old = review('Cy Example').replace('2026-01-05', '2023-01-05')
      await run(
        `printf '%s' '${lately}\n${old}' > reviews.jsonl; pullquote reviews push reviews.jsonl --project hotel --env live`,
      )
      for (let times = 0; times < 2; times++) await run(keeping.text)
      const left = await run('pullquote reviews list --project hotel --env live')
      for (const author of ['Ann Example', 'Ann Other']) assert.match(left, `says ${author}`)
      assert.not.match(left, /Cy/)
    } finally {
      await close()
    }
  })

test.run()
