import { createReadStream } from 'node:fs'
import { CliError } from './failure.ts'
import { type JsonRecord, readRecords, UnreadableInput } from './read-records.ts'

/**
 * The JSON records of a file, or of standard input for `-`. What is wrong with the file as a whole is said with its name.
 *
 * @param help where the user reads what such a file holds
 */
export async function* readRecordFile(file: string, help: string): AsyncGenerator<JsonRecord> {
  const stream = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 256 * 1024 })
  const name = file === '-' ? 'standard input' : file
  try {
    yield* readRecords(stream)
  } catch (error) {
    if (error instanceof UnreadableInput) {
      throw new CliError(`${name}: ${error.message}`, { code: error.code, hints: [help] })
    }
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT') {
      throw new CliError(`there is no file ${name}`, { code: 'no_file', hints: ['check the path'] })
    }
    if (code === 'EISDIR') {
      throw new CliError(`${name} is a folder`, { code: 'no_file', hints: ['name a file in it'] })
    }
    throw error
  }
}
