/** The commands of docs/security.md that delete what a person wrote, on a server with two projects. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { missingTool } from '../templates/checkers.ts'
import { fencedBlocks } from './markdown.ts'
import { openShell } from './shell.ts'

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'security.md'), 'utf8')
const [erasing, ...others] = fencedBlocks(page).filter(({ language }) => language === 'sh')

const review = (author: string) =>
  JSON.stringify({
    external_id: author,
    source: 'google',
    author_name: author,
    text: `Warm bread, says ${author}.`,
    occurred_at: '2026-01-05T10:00:00Z',
  })
const REVIEWS = [review('Ann Example'), review('Ann Other')].join('\n')

const test = suite('docs/security.md')
const missing = missingTool('bash', 'curl', 'jq', 'xargs')
if (missing !== undefined) test.skip('a person is erased', `${missing} is not installed`)
else
  test('a person is erased in all projects and environments, and nobody else', async () => {
    assert.ok(erasing && others.length === 0, 'one block')
    const shell = await openShell({ PULLQUOTE_DEFAULT_PLAN: 'paid' })
    const run = async (script: string) => {
      const { code, stdout, stderr } = await shell.run(script)
      assert.is(code, 0, stderr)
      return stdout
    }
    try {
      await run('pullquote serve; pullquote projects create Hotel; pullquote projects create "Café 2"')
      const everywhere = (command: string) =>
        `for env in live test; do for project in Hotel "Café 2"; do ${command} --project "$project" --env $env; done; done`
      await run(`printf '%s' '${REVIEWS}' > reviews.jsonl; ${everywhere('pullquote reviews push reviews.jsonl')}`)
      await run(erasing?.text ?? '')
      const left = await run(everywhere('pullquote reviews list'))
      assert.is(left.match(/says Ann Other/g)?.length, 4, left)
      assert.not.match(left, /Ann Example/)
    } finally {
      await shell.close()
    }
  })

test.run()
