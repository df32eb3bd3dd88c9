import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as assert from 'uvu/assert'
import { createBuiltinEmbedder } from '../../../server/embed/builtin/embedder.ts'
import { ModelFiles } from '../../../server/embed/builtin/model-files.ts'
import { suite } from '../../suite.ts'

const test = suite('files of the built-in model')
const shipped = fileURLToPath(new URL('../../../server/embed/builtin/', import.meta.url))
const NAMES = ['embedding.bin', 'languages.bin', 'off-domain.bin']

/** A folder with the shipped files, one of them changed; `undefined` leaves it out. */
function folderWith(changed: string, change: (bytes: Buffer) => Buffer | undefined): string {
  const folder = mkdtempSync(join(tmpdir(), 'model-'))
  for (const name of NAMES.filter((name) => name !== changed)) symlinkSync(join(shipped, name), join(folder, name))
  const bytes = change(readFileSync(join(shipped, changed)))
  if (bytes) writeFileSync(join(folder, changed), bytes)
  return folder
}

const open = async (folder: string) => createBuiltinEmbedder(new ModelFiles(pathToFileURL(`${folder}/`)))

/** Why the embedder does not open. */
async function refusal(folder: string): Promise<string> {
  return open(folder).then(
    () => 'opened',
    (error: Error) => error.message,
  )
}

const withByte = (bytes: Buffer, at: number, value: number) => {
  bytes[at] = value
  return bytes
}

for (const name of NAMES) {
  test(`${name}: missing, empty, cut short, too long or of another version, the embedder does not open`, async () => {
    assert.match(await refusal(folderWith(name, () => undefined)), new RegExp(`no such file.*${name}`))
    const told = new RegExp(`${name} is (?:damaged|not a version)`)
    assert.match(await refusal(folderWith(name, () => Buffer.alloc(0))), told)
    for (const left of [3, 18, 1000, 20_000, -1]) {
      assert.match(await refusal(folderWith(name, (bytes) => bytes.subarray(0, left))), told, `cut at ${left}`)
    }
    assert.match(await refusal(folderWith(name, (bytes) => Buffer.concat([bytes, Buffer.alloc(1)]))), told)
    assert.match(await refusal(folderWith(name, (bytes) => withByte(bytes, 0, 88))), told)
    assert.match(await refusal(folderWith(name, (bytes) => withByte(bytes, 4, 99))), told)
  })
}

test('to open it takes no table in memory: a name and a length stand before it', async () => {
  const before = process.memoryUsage().arrayBuffers
  const embedder = await open(shipped)
  assert.match(embedder.id, /^builtin\/[0-9]+\/258\/k0\.706\/i8$/)
  assert.is(embedder.dimensions, 259)
  assert.ok(process.memoryUsage().arrayBuffers - before < 11.3e6)
})

test('a table that was replaced after it was opened is not taken for it', async () => {
  const folder = folderWith('embedding.bin', (bytes) => bytes)
  const embedder = await open(folder)
  const bytes = readFileSync(join(folder, 'embedding.bin'))
  bytes.writeDoubleLE(bytes.readDoubleLE(24) + 0.01, 24)
  writeFileSync(join(folder, 'embedding.bin'), bytes)
  const failure = await embedder.embed(['a quiet room'], 'query').then(
    () => 'embedded',
    (error: Error) => error.message,
  )
  assert.match(failure, /embedding\.bin was replaced meanwhile/)
})

test('once warm, it reads no file any more', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'model-'))
  for (const name of NAMES) copyFileSync(join(shipped, name), join(folder, name))
  const embedder = await open(folder)
  await embedder.warm?.()
  rmSync(folder, { recursive: true })
  const text = ['Das Frühstück war gut, the brekfast of Qwxzv']
  const [vector] = await embedder.embed(text, 'document')
  const [expected] = await (await open(shipped)).embed(text, 'document')
  assert.ok(vector)
  assert.equal(vector, expected)
})

test.run()
