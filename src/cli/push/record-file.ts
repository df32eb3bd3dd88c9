import { createReadStream } from 'node:fs'
import { addAbortSignal } from 'node:stream'
import { Cancelled } from '../../client/errors.ts'
import { codeOf } from '../../contract/code-of.ts'
import { CliError } from '../errors/failure.ts'
import { type JsonRecord, readRecords, UnreadableInput } from './read-records.ts'

/**
 * The JSON records of a file, or of standard input for `-`. What is wrong with the file as a whole is said with its name.
 *
 * @param help where the user reads what such a file holds
 * @param signal ends the reading with {@link Cancelled}
 */
export async function* readRecordFile(file: string, help: string, signal?: AbortSignal): AsyncGenerator<JsonRecord> {
  const stream = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 256 * 1024 })
  // Whoever types, or a pipe whose other end says nothing, would be waited for.
  if (signal) addAbortSignal(signal, stream)
  const name = file === '-' ? 'standard input' : file
  try {
    yield* readRecords(stream)
  } catch (error) {
    if (signal?.aborted) throw new Cancelled()
    if (error instanceof UnreadableInput) {
      const other =
        error.isOtherKind && file !== '-'
          ? [`import CSV and exports of any service: pullquote reviews import ${file}`]
          : []
      throw new CliError(`${name}: ${error.message}`, { code: error.code, hints: [...other, help] })
    }
    const code = codeOf(error)
    if (code === 'ENOENT') {
      throw new CliError(`there is no file ${name}`, { code: 'no_file', hints: ['check the path'] })
    }
    if (code === 'EISDIR') {
      throw new CliError(`${name} is a folder`, { code: 'no_file', hints: ['name a file in it'] })
    }
    throw error
  }
}
