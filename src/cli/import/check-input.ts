import type { ImportOptions } from '../../importer/formats/mapping.ts'
import type { PassedOverFile } from '../../importer/read/review-files.ts'
import type { Reporter } from '../output/reporter.ts'
import type { Terminal } from '../output/terminal.ts'
import { wrapHanging } from '../output/wrap.ts'
import { type ImportInput, readInput } from './inputs.ts'
import { explain, previewOf } from './preview.ts'
import { askForColumns, askForDateOrder, terminalPrompter } from './questions.ts'

/** An input that can be imported, with how it is read. */
export interface CheckedInput {
  input: ImportInput
  options: ImportOptions
  /** Files of a folder that are not sent. */
  passedOver: readonly PassedOverFile[]
}

/** Finds what is wrong with a file before anything is connected or sent; on a terminal it asks what is not certain. */
export async function checkInput(
  input: ImportInput,
  options: ImportOptions,
  context: { explain: boolean; mayAsk: boolean; terminal: Terminal; signal: AbortSignal; reporter: Reporter },
): Promise<CheckedInput> {
  const file = await readInput(input)
  const canAsk = context.mayAsk && process.stdin.isTTY === true && process.stderr.isTTY === true && !input.read
  const prompter = canAsk ? await terminalPrompter(context.terminal, context.signal) : undefined
  let chosen = prompter ? await askForColumns(file, options, prompter) : options
  const previews = await previewOf(file, chosen, canAsk || context.explain)
  for (const preview of context.explain ? previews : []) {
    for (const line of explain(preview, chosen.source)) {
      context.reporter.writeStderr(wrapHanging(line, context.terminal.columns))
    }
  }
  if (prompter) chosen = await askForDateOrder(previews, chosen, prompter)
  return { input, options: chosen, passedOver: file.passedOver ?? [] }
}
