/** The commands of docs/backup.md: a backup while serving, restored into a new folder and into PostgreSQL. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createPostgresDatabase } from '../database.ts'
import { suite } from '../suite.ts'
import { missingTool } from '../templates/checkers.ts'
import { fencedBlocks } from './markdown.ts'
import { openShell, type Shell } from './shell.ts'

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'backup.md'), 'utf8')
const commands = fencedBlocks(page)
  .filter(({ language }) => language === 'sh')
  .flatMap(({ text }) => text.split('\n'))

const test = suite('docs/backup.md')
let shell: Shell
let database: { url: string; drop(): Promise<void> }

const missing = missingTool('bash', 'curl', 'openssl')
if (missing !== undefined) test.skip('every command is run', `${missing} is not installed`)
else {
  test.before(async () => {
    database = await createPostgresDatabase({ migrated: false })
    shell = await openShell()
    const { code, stderr } = await shell.run('pullquote serve; pullquote projects create Hotel')
    assert.is(code, 0, stderr)
  })
  test.after(async () => {
    await shell.close()
    await database.drop()
  })

  for (const command of commands) {
    test(command, async () => {
      const { code, stdout, stderr } = await shell.run(command.replace('postgres://localhost/reviews', database.url))
      assert.is(code, 0, stderr)
      assert.match(
        stdout,
        command.includes(' restore ') ? /Restored 1 project and 0 reviews/ : /Wrote .*: 1 project, 0 reviews/,
      )
    })
  }
}

test('both kinds of restore are there', () => assert.is(commands.length, 3))

test.run()
