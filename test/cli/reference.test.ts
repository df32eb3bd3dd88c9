import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { CLI_PAGE, commandReference } from '../../scripts/command-reference.ts'
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

test.run()
