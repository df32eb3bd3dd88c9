import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { CLI_PAGE, commandReference, loadConfig } from '../../scripts/command-reference.ts'
import { suite } from '../suite.ts'

const test = suite('the command reference')
const page = readFileSync(CLI_PAGE, 'utf8')

test('docs/cli.md is what the commands say: npm run docs writes it', async () => {
  assert.is(await commandReference(page), page)
})

test('every command has an example and --json', () => {
  const sections = page.split('\n### `pullquote ').slice(1)
  assert.ok(sections.length > 20)
  for (const section of sections) {
    const name = section.slice(0, section.indexOf('`'))
    assert.match(section, /EXAMPLES/, name)
    assert.match(section, /--json/, name)
  }
})

// The first line alone stands in the lists of commands, and help keeps line breaks where a description has them.
test('what a command does is told in one whole sentence, and no line of its description is broken', async () => {
  const { commands, name } = await loadConfig()
  for (const { id, description = '', pluginName } of commands) {
    if (pluginName !== name) continue
    const [summary = ''] = description.split('\n')
    assert.match(summary, /^[A-Z].*\.$/, id)
    for (const paragraph of description.split('\n\n')) assert.not.match(paragraph, /\n/, id)
  }
})

test.run()
