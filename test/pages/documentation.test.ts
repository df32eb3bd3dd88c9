import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { openDocumentation } from '../../server/pages/documentation.ts'
import { suite } from '../suite.ts'
import { makeTemporaryFolder } from '../temporary-folder.ts'

const test = suite('the pages of the documentation')

test('one that could not be read is read when it is asked for again', async () => {
  const folder = makeTemporaryFolder()
  const file = join(folder, 'api.md')
  await writeFile(file, '# The API\n')
  const documentation = openDocumentation([folder])
  await rm(file)
  assert.is(await documentation?.page('api').catch(({ code }) => code), 'ENOENT')
  await writeFile(file, '# The API\n')
  assert.is((await documentation?.page('api'))?.title, 'The API')
})

test('a long one begins with a list of its sections, a short one does not', async () => {
  const folder = makeTemporaryFolder()
  const sections = (...names: string[]) => names.map((name) => `## ${name}\n\nText.\n\n### Part of it\n`).join('\n')
  await writeFile(
    join(folder, 'api.md'),
    `# Long\n\nAbout it.\n\n${sections('Keys & co', '`one`', 'One', 'Two', 'Three')}`,
  )
  await writeFile(join(folder, 'cli.md'), `# Short\n\nAbout it.\n\n${sections('One', 'Two')}`)
  const documentation = openDocumentation([folder])
  const pages = await Promise.all(['api', 'cli'].map((name) => documentation?.page(name)))
  const [long = '', short = ''] = pages.map((page) => page?.html)
  const [list = ''] = /<nav.*<\/nav>/s.exec(long) ?? []
  const links = [...list.matchAll(/<a href="#([^"]+)">(.*?)<\/a>/g)].map(([, id, text]) => [id, text])
  assert.equal(links, [
    ['keys--co', 'Keys &amp; co'],
    ['one', '<code>one</code>'],
    ['one-1', 'One'],
    ['two', 'Two'],
    ['three', 'Three'],
  ])
  for (const [id] of links) assert.match(long, `<h2 id="${id}">`)
  assert.match(long, /About it\.<\/p>\s*<nav/)
  assert.not.match(short, '<nav')
})

test('a long one of few sections lists what is below them as well', async () => {
  const folder = makeTemporaryFolder()
  await writeFile(
    join(folder, 'api.md'),
    '# All\n\n## Which\n\n## Commands\n\n### one\n\n### two\n\n#### more\n\n### three\n',
  )
  const page = await openDocumentation([folder])?.page('api')
  const [list = ''] = /<nav.*<\/nav>/s.exec(page?.html ?? '') ?? []
  assert.equal(
    [...list.matchAll(/<a href="#([^"]+)">/g)].map(([, id]) => id),
    ['which', 'commands', 'one', 'two', 'three'],
  )
})

test.run()
