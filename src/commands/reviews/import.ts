import { resolve } from 'node:path'
import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../cli/base-command.ts'
import { readProfiles } from '../../cli/connection/profiles.ts'
import type { ClientSession } from '../../cli/connection/session.ts'
import { interruptedError, usageError } from '../../cli/errors/failure.ts'
import { clientFlags, sourceFlag } from '../../cli/flags/connection.ts'
import {
  asUsageError,
  FORMAT_NAMES,
  parseMapFlags,
  parseMetadataFlag,
  splitProfiles,
} from '../../cli/import/format-flags.ts'
import { type ImportInput, inputsOf, readInput, STANDARD_INPUT, standardInput } from '../../cli/import/inputs.ts'
import { explain, previewOf } from '../../cli/import/preview.ts'
import { askForColumns, askForDateOrder, terminalPrompter } from '../../cli/import/questions.ts'
import { progressLine, reportLines } from '../../cli/import/report.ts'
import { loadMapping, saveMapping } from '../../cli/import/saved-mappings.ts'
import { hasUnreadFiles, type ImportTotals, totalsOf } from '../../cli/import/totals.ts'
import { countCorrectable, type ImportReport, importInput } from '../../cli/import/upload-input.ts'
import { waitForIndexing } from '../../cli/import/wait-for-indexing.ts'
import { wrapHanging } from '../../cli/output/wrap.ts'
import { Cancelled } from '../../client/errors.ts'
import { createImportClient } from '../../client/imports.ts'
import type { Source } from '../../contract/review.ts'
import type { ImportOptions } from '../../importer/formats/mapping.ts'
import type { PassedOverFile } from '../../importer/read/review-files.ts'

const RUN_AGAIN = 'run the same command again: it continues, and what is stored already is not doubled'

export default class ReviewsImport extends BaseCommand {
  static override description = `Imports vendors' exports: CSV, JSON, JSON lines, GeoJSON, a Takeout folder or zip.

The format is recognised by its columns (--explain shows why). Rows that can't be read are skipped, counted by reason and
written to an errors.csv beside the input, to be mended and imported again. Importing a file again updates its reviews.
Formats: ${FORMAT_NAMES.join(', ')}.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> takeout.zip',
    '<%= config.bin %> <%= command.id %> trustpilot.csv --dry-run --explain',
    '<%= config.bin %> <%= command.id %> "exports/*.csv" --env test',
    '<%= config.bin %> <%= command.id %> sheet.csv --map text=Comment --map date="Created on" --metadata Product --save-mapping shop',
    '<%= config.bin %> <%= command.id %> sheet.csv --mapping shop --day-first',
    'curl -s https://example.com/export.csv | <%= config.bin %> <%= command.id %> - --file-name export.csv',
  ]
  static override strict = false
  static override args = {
    file: Args.string({
      description: 'files, folders or patterns; - for standard input',
      required: true,
      ignoreStdin: true,
    }),
  }
  static override flags = {
    ...clientFlags,
    profile: Flags.string({
      description: 'the format, when it is not recognised; or settings stored by `pullquote login`',
      helpValue: 'NAME',
      multiple: true,
      multipleNonGreedy: true,
    }),
    map: Flags.string({
      description: 'a column for a field, as text=Comment; an empty one leaves the field out',
      helpValue: 'FIELD=COLUMN',
      multiple: true,
      multipleNonGreedy: true,
    }),
    metadata: Flags.string({
      description: 'further columns to keep: all, none, or names with commas',
      helpValue: 'COLUMNS',
    }),
    source: sourceFlag('source of all rows, whatever the file says'),
    'day-first': Flags.boolean({
      description: 'read 1/2/2026 as the first of February, or not; by default the file decides',
      allowNo: true,
    }),
    'decode-html': Flags.boolean({
      description: 'read &amp; and <br> in reviews as what they stand for, or not; by default the file decides',
      allowNo: true,
    }),
    'file-name': Flags.string({ description: 'what standard input is called in the report', helpValue: 'NAME' }),
    'repair-encoding': Flags.boolean({ description: 'mend double-encoded text, such as Ã© for é' }),
    mapping: Flags.string({ description: 'a saved mapping, or a file of one', helpValue: 'NAME' }),
    'save-mapping': Flags.string({ description: 'save how this file is read under a name', helpValue: 'NAME' }),
    'dry-run': Flags.boolean({ description: 'show what would happen and write nothing', default: false }),
    explain: Flags.boolean({ description: 'show how each file is understood', default: false }),
    errors: Flags.string({ description: 'where the skipped rows go; default: beside the input', helpValue: 'FILE' }),
    strict: Flags.boolean({
      description: 'exit with 1 when a row or file was not imported that could be mended',
      default: false,
    }),
    force: Flags.boolean({ description: 'import reviews that the account owner wrote' }),
    yes: Flags.boolean({
      char: 'y',
      description: 'replace a mapping of that name with --save-mapping, without asking',
      default: false,
    }),
  }

  async run(): Promise<ImportTotals> {
    const { argv, flags } = await this.parse(ReviewsImport)
    const inputs = await this.inputs(argv.map(String), flags)
    if (flags.errors !== undefined && inputs.length > 1)
      throw usageError(
        '--errors names one file and there are several inputs',
        'leave it out: each gets its own beside it',
      )
    const stored = flags.profile === undefined ? {} : (await readProfiles(this.config.configDir)).profiles
    const { connection, format } = splitProfiles(flags.profile ?? [], Object.keys(stored))
    const options = await this.optionsOf(flags, format)
    const prepared: Checked[] = []
    for (const input of inputs) {
      // A column that a flag names, and no saved mapping: the flag is wrong.
      const isFlag = flags.map !== undefined || flags.metadata !== undefined
      const checked = this.checked(input, options, flags.explain)
      prepared.push(
        await checked.catch((error) => Promise.reject(isFlag ? asUsageError(error, 'unknown_column') : error)),
      )
    }
    const [first] = prepared
    const { 'save-mapping': name } = flags
    if (name !== undefined && first) {
      const path = await saveMapping(this.config.configDir, name, first.options, () =>
        this.confirm(`There is another mapping ${name} already. Replace it?`, {
          given: flags.yes,
          otherwise: `there is another mapping ${name} already; nothing was saved and nothing imported`,
        }),
      )
      this.info(`Saved as ${path}.`)
    }

    const imports = await this.withClient({ ...flags, profile: connection }, async (session) => {
      const reports: ImportTotals['imports'] = []
      for (const one of prepared) {
        const { input } = one
        const errorsPath = flags.errors ?? input.errorsPath
        const allErrors = flags.errors !== undefined
        const report = await this.importOne(one, { session, errorsPath, allErrors, dryRun: flags['dry-run'] })
        reports.push({ input: input.path, ...report })
        for (const line of reportLines(report, input.path, report.errors_csv))
          this.log(wrapHanging(line, this.terminal.columns))
      }
      if (!flags['dry-run'])
        await waitForIndexing(session, this.interruptSignal, {
          progress: (text) => this.progress(text),
          note: (line) => this.info(line),
        })
      return reports
    })
    const answer = totalsOf(imports, flags['dry-run'])
    if (flags.strict && (countCorrectable(answer) > 0 || imports.some(hasUnreadFiles))) process.exitCode = 1
    return answer
  }

  private async optionsOf(
    flags: {
      mapping?: string | undefined
      map?: string[] | undefined
      metadata?: string | undefined
      source?: string | undefined
      'day-first'?: boolean | undefined
      'decode-html'?: boolean | undefined
      'repair-encoding'?: boolean | undefined
      force?: boolean | undefined
    },
    format: string | undefined,
  ): Promise<ImportOptions> {
    const saved = flags.mapping === undefined ? {} : await loadMapping(this.config.configDir, flags.mapping)
    const given = parseMapFlags(flags.map ?? [])
    const map = { ...saved.map, ...given }
    return {
      ...saved,
      ...(Object.keys(map).length > 0 && { map }),
      ...(format !== undefined && { format }),
      ...(flags.metadata !== undefined && { metadata: parseMetadataFlag(flags.metadata) }),
      ...(flags.source !== undefined && { source: flags.source as Source }),
      ...(flags['day-first'] !== undefined && { dayFirst: flags['day-first'] }),
      ...(flags['decode-html'] !== undefined && { decodeHtml: flags['decode-html'] }),
      ...(flags['repair-encoding'] !== undefined && { repairEncoding: flags['repair-encoding'] }),
      ...(flags.force !== undefined && { force: flags.force }),
    }
  }

  private async inputs(
    args: readonly string[],
    flags: { 'key-stdin'?: boolean | undefined; 'file-name'?: string | undefined },
  ): Promise<ImportInput[]> {
    const { 'file-name': name = 'stdin' } = flags
    if (!args.includes(STANDARD_INPUT)) {
      if (flags['file-name'] !== undefined) throw usageError('--file-name is for standard input', 'give - as the file')
      return inputsOf(args)
    }
    if (flags['key-stdin'])
      throw usageError('standard input holds either the key or the file', 'give the key in PULLQUOTE_KEY')
    const files = await inputsOf(args.filter((argument) => argument !== STANDARD_INPUT))
    if (process.stdin.isTTY) this.info('Reading from the terminal; Ctrl-D ends.')
    return [...files, await standardInput(process.stdin, name, this.interruptSignal)]
  }

  /** Finds what is wrong with a file before anything is connected or sent; on a terminal it asks what is not certain. */
  private async checked(input: ImportInput, options: ImportOptions, explained: boolean): Promise<Checked> {
    const file = await readInput(input)
    const canAsk = process.stdin.isTTY === true && process.stderr.isTTY === true && !this.jsonEnabled() && !input.read
    const prompter = canAsk ? await terminalPrompter() : undefined
    let settled = prompter ? await askForColumns(file, options, prompter) : options
    const previews = await previewOf(file, settled, canAsk || explained)
    if (explained)
      for (const preview of previews)
        for (const line of explain(preview, settled.source))
          this.writeStderr(wrapHanging(line, this.stderrTerminal.columns))
    if (prompter) settled = await askForDateOrder(previews, settled, prompter)
    return { input, options: settled, passedOver: file.passedOver ?? [] }
  }

  private async importOne(
    { input, options, passedOver }: Checked,
    {
      session,
      errorsPath,
      allErrors,
      dryRun,
    }: { session: ClientSession; errorsPath: string; allErrors: boolean; dryRun: boolean },
  ): Promise<ImportReport> {
    const client = createImportClient({ ...session.connection, key: session.key, retry: session.retry })
    const progress = this.progress(`Importing ${input.path}`)
    const started = Date.now()
    let done = 0
    try {
      const file = { name: resolve(input.path), bytes: async () => (await readInput(input)).bytes, passedOver }
      return await importInput(file, {
        client,
        options,
        dryRun,
        errorsPath,
        allErrors,
        signal: this.interruptSignal,
        onProgress: (step) => {
          done = step.done
          progress.update(progressLine(step.done, step.total, Date.now() - started))
        },
      })
    } catch (error) {
      progress.stop()
      if (error instanceof Cancelled)
        throw interruptedError(`interrupted after ${done} rows of ${input.path}`, RUN_AGAIN)
      if (done > 0) this.writeStderr(`${done} rows of ${input.path} were stored before this; ${RUN_AGAIN}.`)
      throw error
    } finally {
      progress.stop()
    }
  }
}

/** An input that can be imported, with how it is read. */
interface Checked {
  input: ImportInput
  options: ImportOptions
  /** Files of a folder that are not sent. */
  passedOver: readonly PassedOverFile[]
}
