import { lstatSync, readdirSync } from 'node:fs'
import { chown, mkdir, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { openEmbedded } from '../../../server/db/embedded/open-embedded.ts'
import { explainFailedStart } from '../../../server/db/home/data-folder.ts'
import { migrate } from '../../../server/db/migrate.ts'
import { copyTemplateInto, silent } from '../../database.ts'
import { suite } from '../../suite.ts'

const test = suite('the folder of the embedded database')
/** Opened at less expense than by a server. */
const AS_COMMAND = { shortLived: true }
let base: string
test.before(async () => {
  base = await mkdtemp(join(tmpdir(), 'pullquote-folder-'))
})
test.after(() => rm(base, { recursive: true, force: true }))

async function copied(name: string): Promise<string> {
  const home = join(base, name)
  await mkdir(home)
  await copyTemplateInto(home)
  return home
}

/** Every file below with its size. */
function contents(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names
    .map((name) => {
      const found = lstatSync(join(folder, name))
      return found.isFile() ? `${name} ${found.size}` : name
    })
    .sort()
}

async function refused(home: string): Promise<string> {
  const before = contents(home)
  try {
    const opened = await openEmbedded(home, silent, AS_COMMAND)
    await opened.close()
  } catch (error) {
    assert.is((error as { code?: string }).code, 'database_damaged', String(error))
    assert.equal(contents(home), before, 'nothing was changed')
    return String(error)
  }
  return assert.unreachable('it was opened') as never
}

test('one that is not whole is refused, with the way to a backup, and nothing is changed', async () => {
  const home = await copied('damaged')
  const data = join(home, 'data')
  for (const [what, lost] of [
    ['PG_VERSION is missing', 'PG_VERSION'],
    ['global/pg_control is missing', 'global/pg_control'],
    ['pg_wal is missing', 'pg_wal'],
    ['pg_xact is missing', 'pg_xact'],
    ['base/5/PG_VERSION is missing', 'base'],
  ] as const) {
    await rename(join(data, lost), join(base, 'away'))
    const message = await refused(home)
    await rename(join(base, 'away'), join(data, lost))
    assert.match(message, what)
    assert.match(message, 'pullquote restore')
  }
  for (const file of ['PG_VERSION', 'global/pg_control']) {
    const content = await readFile(join(data, file))
    await truncate(join(data, file), 0)
    assert.match(await refused(home), `${file} is empty`)
    await writeFile(join(data, file), Buffer.alloc(content.length))
    assert.match(await refused(home), `${file} is overwritten`)
    await writeFile(join(data, file), content)
  }
  const { sql, close } = await openEmbedded(home, silent, AS_COMMAND)
  await sql`select 1`
  await close()
})

test('one that was emptied is refused', async () => {
  const home = join(base, 'emptied')
  await mkdir(join(home, 'data'), { recursive: true })
  assert.match(await refused(home), 'is empty')
})

test('one that is gone is no first start; moved away with its mark it is one', async () => {
  const home = await copied('gone')
  const opened = await openEmbedded(home, silent, AS_COMMAND)
  await opened.close()
  await rename(join(home, 'data'), join(base, 'gone-data'))
  assert.match(await refused(home), 'the folder is missing')
  await rename(join(base, 'gone-data'), join(home, 'data'))
  const again = await openEmbedded(home, silent, AS_COMMAND)
  await again.close()
})

test('a first start that was killed on the way is made good, wherever it was', async () => {
  const home = join(base, 'killed')
  await mkdir(join(home, 'data.new', 'base'), { recursive: true })
  await writeFile(join(home, 'data.new', 'PG_VERSION'), '18')
  const opened = await openEmbedded(home, silent, AS_COMMAND)
  await migrate(opened.sql, silent)
  await opened.close()
  assert.equal((await readdir(home)).sort(), ['data', 'data.made'])
  // After the folder had its name and before the mark was made.
  await rm(join(home, 'data.made'))
  const again = await openEmbedded(home, silent, AS_COMMAND)
  await again.close()
  assert.equal((await readdir(home)).sort(), ['data', 'data.made'])
})

test('one whose files are there and hold nonsense does not start, and says what to do', async () => {
  const home = await copied('nonsense')
  const control = join(home, 'data', 'global', 'pg_control')
  await writeFile(control, Buffer.alloc((await readFile(control)).length, 7))
  try {
    await openEmbedded(home, silent, AS_COMMAND)
    assert.unreachable()
  } catch (error) {
    assert.is((error as { code?: string }).code, 'database_damaged', String(error))
    assert.match(String(error), /does not start.*pullquote restore/s)
  }
})

if (process.getuid?.() === 0) {
  test("of another user is still all that user's after a command of root", async () => {
    const home = await copied('of-another')
    const data = join(home, 'data')
    // Some of the copy's are links to those of the template.
    const files = () =>
      ['.', ...readdirSync(data, { recursive: true, encoding: 'utf8' })]
        .map((name) => join(data, name))
        .filter((file) => lstatSync(file).isDirectory() || lstatSync(file).nlink === 1)
    for (const file of files()) await chown(file, 65_534, 65_534)
    const { sql, close } = await openEmbedded(home, silent, AS_COMMAND)
    await migrate(sql, silent)
    await close()
    assert.equal(new Set(files().map((file) => lstatSync(file).uid)), new Set([65_534]))
  })

  test("made by root in another user's home is that user's, as after a restore", async () => {
    const home = await mkdtemp(join(base, 'made-by-root-'))
    await chown(home, 65_534, 65_534)
    await (await openEmbedded(home, silent, AS_COMMAND)).close()
    const owners = readdirSync(home, { recursive: true, encoding: 'utf8' }).map(
      (name) => lstatSync(join(home, name)).uid,
    )
    assert.ok(owners.length > 100)
    assert.equal(new Set(owners), new Set([65_534]))
  })

  test('with a file that its owner cannot read names it, and what to do', async () => {
    const home = await copied('with-a-file-of-root')
    const data = join(home, 'data')
    await chown(join(data, 'global/pg_control'), 65_534, 65_534)
    const { code, message } = await explainFailedStart(data, new Error('Aborted()'))
    assert.is(code, 'database_of_another_user')
    assert.match(message, /global\/pg_control in it .*chown -R 0 /)
  })
}

test.run()
