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

test.run()
