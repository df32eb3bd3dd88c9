import { open } from 'node:fs/promises'
import * as v from 'valibot'
import type { Client } from '../../client/client.ts'
import { ApiError } from '../../client/errors.ts'
import { pluralize } from '../../contract/counts.ts'
import { CliError } from '../errors/failure.ts'
import type { Reporter } from '../output/reporter.ts'
import { readRecordFile } from '../push/record-file.ts'
import { type Judgement, judgement, judgementKey, type MeasuredJudgement, measureExcerpt } from './floors.ts'

const EXAMPLE = 'for example: {"query":"sea bass","review":"3f0c9a4e-…","fits":true}'

/**
 * The judgements of a file, each with how near its review comes. A later line about the same query and review takes the
 * place of an earlier one; reviews that are gone are left out, which is said.
 *
 * @throws {CliError} a line that is no judgement
 */
export async function readJudgements(
  file: string,
  client: Pick<Client, 'explain'>,
  { signal, reporter }: { signal: AbortSignal; reporter: Reporter },
): Promise<MeasuredJudgement[]> {
  const judged = new Map<string, MeasuredJudgement>()
  let gone = 0
  const progress = reporter.progress('Looking at the judged reviews')
  try {
    for await (const record of readRecordFile(file, EXAMPLE)) {
      const checked = v.safeParse(judgement, record.ok ? record.value : undefined)
      if (!checked.success) {
        throw new CliError(`line ${record.line} of ${file} is not {"query","review","fits"}`, { hints: [EXAMPLE] })
      }
      const { query, review } = checked.output
      const explained = await client.explain({ q: query, review }, signal).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'not_found') return undefined
        throw error
      })
      if (!explained) {
        gone++
        continue
      }
      const excerpts = (explained.review?.excerpts ?? []).flatMap(measureExcerpt)
      judged.set(judgementKey(checked.output), { ...checked.output, excerpts })
      progress.update(`Looking at the judged reviews: ${judged.size}`)
    }
  } finally {
    progress.stop()
  }
  if (gone > 0) {
    reporter.info(
      `${pluralize(gone, 'judgement')} left out: the review is not in this project and environment (any more).`,
    )
  }
  return [...judged.values()]
}

/** Appends a line of its own, also to a file whose last line has no end. */
export async function appendJudgement(file: string, judgement: Judgement): Promise<void> {
  const handle = await open(file, 'a+')
  try {
    const { size } = await handle.stat()
    const last = Buffer.from('\n')
    if (size > 0) await handle.read(last, 0, 1, size - 1)
    await handle.appendFile(`${last.toString() === '\n' ? '' : '\n'}${JSON.stringify(judgement)}\n`)
  } finally {
    await handle.close()
  }
}
