/** The examples of docs/api.md are run against a real server, and their answers are those that the page shows. */
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { suite } from '../suite.ts'
import { missingTool } from '../templates/checkers.ts'
import { type Block, fencedBlocks } from './markdown.ts'
import { openShell, type Shell } from './shell.ts'
import { differences } from './shown-answer.ts'

const root = join(import.meta.dirname, '..', '..')
const blocks = fencedBlocks(readFileSync(join(root, 'docs', 'api.md'), 'utf8'))

/** The shell blocks, each with the answers shown between it and the next. */
const examples: { command: Block; shown: Block[] }[] = []
for (const block of blocks) {
  if (block.language === 'sh') examples.push({ command: block, shown: [] })
  // A program against a generated client needs the generator.
  else if (block.language !== 'ts') examples.at(-1)?.shown.push(block)
}

const described = v.object({
  components: v.object({ schemas: v.object({ ReviewBatch: v.object({ type: v.string(), items: v.unknown() }) }) }),
})

const test = suite('docs/api.md')
let shell: Shell
const ids = new Map<string, string>()

const missing = missingTool('bash', 'curl', 'jq', 'openssl')
if (missing !== undefined) test.skip('every command is run', `${missing} is not installed`)
else {
  test.before(async () => {
    shell = await openShell()
    copyFileSync(join(root, 'templates', 'import', 'reviews.csv'), join(shell.dir, 'reviews.csv'))
  })
  test.after(() => shell.close())

  for (const { command, shown } of examples) {
    test(`line ${command.line}: ${command.text.split('\n')[0]}`, async () => {
      const script = [...ids].reduce((text, [written, real]) => text.replaceAll(written, real), command.text)
      await shell.indexed()
      const { code, stderr, answers } = await shell.run(script)
      assert.is(code, 0, stderr)
      const calls = command.text.match(/\bcurl /g)?.length ?? 0
      assert.is(answers.length, calls, 'not every curl got an answer')
      assert.ok(calls === 0 || shown.length > 0, 'the page shows no answer, so nothing is checked')
      assert.ok(shown.length <= Math.max(calls, 1), 'the page shows more answers than there are calls')
      for (const [i, answer] of answers.entries()) {
        // One answer below several calls is that of each.
        const block = shown.length === 1 ? shown[0] : shown[i]
        assert.ok(block, `the page shows no answer of call ${i + 1}`)
        assert.equal(differences(block, answer, ids), [])
      }
    })
  }

  test('in the description for languages without unions, only null stands beside another type', () => {
    const description = readFileSync(join(shell.dir, 'lists.json'), 'utf8')
    assert.not.ok(description.includes('"anyOf"'))
    const { components } = v.parse(described, JSON.parse(description))
    assert.is(components.schemas.ReviewBatch.type, 'array')
    assert.equal(components.schemas.ReviewBatch.items, { $ref: '#/components/schemas/ReviewInput' })
  })
}

test('shows every kind of call', () => {
  const text = examples.map(({ command }) => command.text).join('\n')
  assert.match(text, /pullquote serve/)
  for (const part of [
    '/v1/reviews',
    '/v1/query',
    'PATCH',
    'DELETE',
    '/explain',
    '/imports',
    '/operator/',
    '/metrics',
    '/readyz',
  ]) {
    assert.ok(text.includes(part), part)
  }
})

test.run()
