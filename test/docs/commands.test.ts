/** Every `pullquote …` that a page or a template writes is a command with these flags, by the generated docs/cli.md. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { fencedBlocks } from './markdown.ts'

const root = join(import.meta.dirname, '..', '..')
const text = (path: string) => readFileSync(join(root, path), 'utf8')

/** What docs/cli.md says of each command, by its name. */
const reference = new Map(
  text('docs/cli.md')
    .split('\n### `pullquote ')
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('`')), section] as const),
)

const pages = ['README.md', ...filesIn('docs', /\.md$/), ...filesIn('templates', /\.md$|^deploy\//)].filter(
  (path) => path !== 'docs/cli.md',
)

function filesIn(folder: string, name: RegExp): string[] {
  const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  const paths = files.map((one) => join(one.parentPath, one.name).slice(join(root, folder).length + 1))
  return paths.filter((path) => name.test(path)).map((path) => `${folder}/${path}`)
}

/** Lines of shell blocks without their comments, and code within a sentence; of a template its lines. */
function written(path: string): string[] {
  const page = text(path)
  if (!path.endsWith('.md')) return page.split('\n')
  const lines = fencedBlocks(page)
    .filter(({ language }) => language === 'sh' || language === '')
    .flatMap((block) => block.text.replaceAll('\\\n', ' ').split('\n'))
  const prose = page.replace(/^```.*?^```/gms, '')
  return [
    ...lines.map((line) => line.replace(/\s#\s.*$/, '')),
    ...(prose.match(/`[^`]+`/g) ?? []).map((code) => code.slice(1, -1)),
  ]
}

interface Command {
  words: string[]
  flags: string[]
}

/** The commands in a line. That of the completion is a plugin's, and not in the reference. */
function commandsIn(line: string): Command[] {
  return [...line.matchAll(/(?<=^|[\s(=])pullquote ([a-z][^|;&`)]*)/g)].flatMap(([, rest = '']) => {
    const words = rest.trim().split(/\s+/)
    if (words[0] === 'autocomplete') return []
    const flags = words.filter((word) => word.startsWith('--')).map((word) => word.replace(/=.*/, ''))
    return [{ words: words.filter((word) => !word.startsWith('-')), flags }]
  })
}

const test = suite('commands that the pages write')
let found = 0

for (const page of pages) {
  const commands = written(page).flatMap((line) => commandsIn(line).map((command) => ({ line, ...command })))
  found += commands.length
  if (commands.length === 0) continue
  test(page, () => {
    for (const { line, words, flags } of commands) {
      const section = reference.get(words.slice(0, 2).join(' ')) ?? reference.get(words[0] ?? '')
      assert.ok(section, `there is no command: ${line.trim()}`)
      for (const flag of flags) {
        const name = flag.replace(/^--(no-)?/, '')
        if (name !== 'help')
          assert.match(section, new RegExp(`--(\\[no-\\]|no-)?${name}\\b`), `${line.trim()}: ${flag}`)
      }
    }
  })
}

test('the pages write many', () => assert.ok(found > 40, String(found)))

test.run()
