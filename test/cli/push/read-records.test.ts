import * as assert from 'uvu/assert'
import type { JsonRecord } from '../../../src/cli/push/json-record.ts'
import { readRecords, UnreadableInput } from '../../../src/cli/push/read-records.ts'
import { suite } from '../../suite.ts'

const test = suite('reading JSON records as a stream')

/** The input in chunks of `size` bytes, so that every boundary is tried. */
async function* chunked(input: string | Uint8Array, size: number) {
  const bytes = typeof input === 'string' ? Buffer.from(input, 'utf8') : input
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size)
}

async function read(input: string | Uint8Array, size = 65_536): Promise<JsonRecord[]> {
  const records: JsonRecord[] = []
  for await (const record of readRecords(chunked(input, size))) records.push(record)
  return records
}

const values = (records: JsonRecord[]) => records.map((record) => (record.ok ? record.value : record.problem))

async function problemOf(input: string | Uint8Array): Promise<string> {
  try {
    await read(input)
  } catch (error) {
    if (error instanceof UnreadableInput) return error.message
    throw error
  }
  return 'was read'
}

const NASTY = [
  { a: 'brackets ]},[{ "quoted" \\ and \\"', b: { c: [1, [2]], d: '\n\t' } },
  { é: 'déjà 🎉 مرحبا' },
  { n: null },
]

test('an array is read whatever the chunks are', async () => {
  for (const text of [JSON.stringify(NASTY), JSON.stringify(NASTY, null, 2)]) {
    for (const size of [1, 2, 3, 7, 64, 65_536])
      assert.equal(values(await read(text, size)), NASTY, `chunks of ${size}`)
  }
})

test('JSON lines are read whatever the chunks are, with empty lines and without a last newline', async () => {
  const text = `${NASTY.map((value) => JSON.stringify(value)).join('\r\n\n')}`
  for (const size of [1, 2, 3, 7, 64, 65_536]) assert.equal(values(await read(text, size)), NASTY, `chunks of ${size}`)
})

test('pretty-printed objects one after another are read', async () => {
  const text = NASTY.map((value) => JSON.stringify(value, null, 2)).join('\n')
  for (const size of [1, 5, 65_536]) assert.equal(values(await read(text, size)), NASTY, `chunks of ${size}`)
})

test('a byte order mark is skipped', async () => {
  assert.equal(values(await read('\ufeff[{"a":1}]')), [{ a: 1 }])
})

test('an empty array has no record; an empty input is that of a program that failed', async () => {
  assert.equal(await read('[ ]'), [])
  for (const empty of ['', ' \n'])
    assert.is(await read(empty).catch((error: Error) => error.message), 'the input is empty')
})

test('a record that has a name twice is refused, as by the server', async () => {
  assert.equal(values(await read('{"a":1,"b":{"c":1,"c":2}}\n{"a":2,"b":"\\"a\\":"}\n')), [
    'has b.c twice',
    { a: 2, b: '"a":' },
  ])
})

test('a broken line costs that line only and is named by its number', async () => {
  const records = await read('{"a":1}\n{"a":\n{"a":3}\n')
  assert.equal(
    records.map((record) => record.ok),
    [true, false, true],
  )
  assert.is(records[1]?.line, 2)
  assert.is(records[1]?.position, 2)
  assert.match(String(values(records)[1]), /^is not JSON/)
})

test('a broken first line is still a line', async () => {
  const records = await read('{"a":,}\n{"a":2}')
  assert.equal(
    records.map((record) => record.ok),
    [false, true],
  )
})

test('a broken value in an array is passed over when its end can be found', async () => {
  const records = await read('[{"a":1},\n {"a":oops}, nonsense, 5,\n {"a":4}]', 3)
  assert.equal(
    records.map((record) => record.ok),
    [true, false, false, true, true],
  )
  assert.equal(
    records.map((record) => record.line),
    [1, 2, 2, 2, 3],
  )
})

test('a comma too many is named', async () => {
  assert.equal(values(await read('[{"a":1},]')), [{ a: 1 }, 'is empty: there is an extra comma'])
  assert.equal(values(await read('[{"a":1},,{"a":2}]')), [{ a: 1 }, 'is empty: there is an extra comma', { a: 2 }])
})

test('a missing comma is named', async () => {
  assert.match(String(values(await read('[{"a":1} {"a":2}]'))[0]), /is not JSON/)
})

test('a truncated input says so', async () => {
  assert.match(await problemOf('[{"a":1},{"a":'), /ends inside the value that begins on line 1/)
  assert.match(await problemOf('[{"a":1}'), /is the file complete/)
  assert.match(await problemOf('[{"a":1},'), /ends before the closing bracket/)
  assert.match(await problemOf('['), /ends before the closing bracket/)
  assert.match(await problemOf('{\n"a": {'), /ends inside the value/)
})

test('what is not JSON is refused with what to do', async () => {
  assert.match(await problemOf('id;text\n1;hello'), /must begin with/)
  for (const mark of ['', '\ufeff']) {
    const little = Buffer.from(`${mark}[{"a":1}]`, 'utf16le')
    assert.match(await problemOf(little), /UTF-16/)
    assert.match(await problemOf(Buffer.from(little).swap16()), /UTF-16/)
  }
  assert.match(await problemOf(Buffer.from([0x1f, 0x8b, 8, 0])), /gunzip/)
  assert.match(await problemOf('[] {"a":1}'), /after the end of the array/)
})

test('bytes that are not UTF-8 are refused rather than replaced', async () => {
  const records = await read(Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xe9]), Buffer.from('"}\n{"a":2}')]))
  assert.match(String(values(records)[0]), /not UTF-8/)
  assert.equal(values(records)[1], { a: 2 })
})

test('a value longer than a review can be is passed over without being kept', async () => {
  async function* endless() {
    yield Buffer.from('[{"a":"')
    for (let i = 0; i < 64; i++) yield Buffer.alloc(1024 * 1024, 0x78)
    yield Buffer.from('"},{"a":2}]')
  }
  const before = process.memoryUsage().arrayBuffers
  const records: JsonRecord[] = []
  for await (const record of readRecords(endless())) records.push(record)
  assert.match(String(values(records)[0]), /longer than 1 MiB/)
  assert.equal(values(records)[1], { a: 2 })
  assert.ok(process.memoryUsage().arrayBuffers - before < 80 * 1024 * 1024)
})

test('deep nesting is read or refused, without a crash', async () => {
  const deep = `[${'['.repeat(100_000)}${']'.repeat(100_000)}, {"a":2}]`
  assert.is((await read(deep)).length, 2)
})

test('random bytes end in records or a refusal', async () => {
  let seed = 7
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed / 2_147_483_648
  }
  const alphabet = '[]{},:"\\ \n\t1a\u00e9'
  for (let round = 0; round < 2_000; round++) {
    const text = Array.from(
      { length: 1 + Math.floor(random() * 40) },
      () => alphabet[Math.floor(random() * alphabet.length)],
    )
    const input = `${random() < 0.5 ? '[' : '{'}${text.join('')}`
    await problemOf(input)
  }
})

test.run()
