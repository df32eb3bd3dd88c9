import { Flags } from '@oclif/core'
import { BaseCommand } from '../../cli/base-command.ts'
import { readProfiles } from '../../cli/connection/settings.ts'
import { usageError } from '../../cli/errors/cli-error.ts'
import { clientFlags, repeatedFlag, requiredArg } from '../../cli/flags.ts'
import { resolveInputs } from '../../cli/import/inputs.ts'
import { type CheckedInput, checkInput } from '../../cli/import/questions.ts'
import { asUsageError, FORMAT_NAMES, importOptions, parseFormat, readingFlags } from '../../cli/import/reading-flags.ts'
import { countCorrectable, reportLines } from '../../cli/import/report.ts'
import { saveMapping } from '../../cli/import/saved-mappings.ts'
import { type ImportTotals, importInputs, totalsOf } from '../../cli/import/upload.ts'
import { wrapHanging } from '../../cli/output/wrap.ts'
import { hasUnreadFiles } from '../../importer/read/review-files.ts'

export default class ReviewsImport extends BaseCommand {
  static override description =
    `Imports vendors' exports: CSV, JSON, JSON lines, GeoJSON, XML, XLSX, a Takeout folder or zip.

The format is recognised by its columns (--explain shows why). Rows that can't be read are skipped, counted by reason and \
written to an errors.csv beside the input, to be corrected and imported again. Importing a file again updates its reviews.

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
  static override args = { file: requiredArg('files, folders or patterns; - for standard input') }
  static override flags = {
    ...clientFlags,
    profile: repeatedFlag({
      description:
        'settings stored by `pullquote login` [env: PULLQUOTE_PROFILE]; or a format, better given with --format',
      helpValue: 'NAME',
    }),
    ...readingFlags,
    'file-name': Flags.string({ description: 'what standard input is called in the report', helpValue: 'NAME' }),
    'save-mapping': Flags.string({ description: 'save how this file is read, under this name', helpValue: 'NAME' }),
    'dry-run': Flags.boolean({ description: 'show what would happen and write nothing', default: false }),
    explain: Flags.boolean({ description: 'show how each file is understood', default: false }),
    errors: Flags.string({ description: 'where the skipped rows go; default: beside the input', helpValue: 'FILE' }),
    strict: Flags.boolean({
      description:
        'exit with 1 if a row or file that could be corrected was not imported, or --missing hide was refused',
      default: false,
    }),
    yes: Flags.boolean({
      char: 'y',
      description: 'replace a mapping of that name with --save-mapping, without asking',
      default: false,
    }),
  }

  async run(): Promise<ImportTotals> {
    const { argv, flags } = await this.parse(ReviewsImport)
    const { configDir } = this.config
    const context = { terminal: this.stderrTerminal, signal: this.interruptSignal, reporter: this }
    const inputs = await resolveInputs(argv.map(String), {
      fileName: flags['file-name'],
      keyStdin: flags['key-stdin'],
      ...context,
    })
    if (flags.errors !== undefined && inputs.length > 1) {
      throw usageError(
        '--errors names one file and there are several inputs',
        'leave it out: each gets its own beside it',
      )
    }
    const stored = flags.profile === undefined ? {} : (await readProfiles(configDir)).profiles
    const { connection, format } = parseFormat(flags, Object.keys(stored))
    if (flags.format === undefined && format !== undefined)
      this.info(`--profile ${format} names a format, which is better given as --format ${format}.`)
    const options = await importOptions({ ...flags, format }, configDir)
    const checked: CheckedInput[] = []
    for (const input of inputs) {
      const checking = { ...context, explain: flags.explain, mayAsk: !this.jsonEnabled() }
      checked.push(
        await checkInput(input, options, checking).catch((error: unknown) => {
          // With these flags an unknown column was most likely named by one of them, so it is a usage error.
          const isFlag = flags.map !== undefined || flags.metadata !== undefined
          throw isFlag ? asUsageError(error, 'unknown_column') : error
        }),
      )
    }
    const [first] = checked
    const { 'save-mapping': name } = flags
    if (name !== undefined && flags['dry-run']) this.info(`A dry run saves nothing: the mapping ${name} is not saved.`)
    else if (first && name !== undefined) await this.saveMapping(name, first, flags.yes)
    const imports = await this.withClient({ ...flags, profile: connection }, (session) =>
      importInputs(session, checked, {
        errorsFile: flags.errors,
        dryRun: flags['dry-run'],
        onReport: (report) => {
          for (const line of reportLines(report, report.input, report.errors_csv)) {
            this.log(wrapHanging(line, this.terminal.columns))
          }
        },
        ...context,
      }),
    )
    const totals = totalsOf(imports, flags['dry-run'])
    const isToHide = (first?.options.missing ?? 'list') !== 'list'
    const isUnfinished = imports.some(({ passed_over: passedOver, missing }) => {
      return hasUnreadFiles({ passedOver }) || (isToHide && missing?.hidden === false)
    })
    if (flags.strict && (countCorrectable(totals) > 0 || isUnfinished)) process.exitCode = 1
    return totals
  }

  private async saveMapping(name: string, { options }: CheckedInput, given: boolean): Promise<void> {
    // The dates given for this file would be wrong for the next.
    const { as_of: asOf, date, ...kept } = options
    const path = await saveMapping(this.config.configDir, name, kept, () =>
      this.confirm(`There is already another mapping named ${name}. Replace it?`, {
        given,
        otherwise: `there is already another mapping named ${name}; nothing was saved and nothing imported`,
      }),
    )
    const isLess = asOf !== undefined || date !== undefined
    this.info(`Saved as ${path}${isLess ? ', without the day, which belongs to this file only' : ''}.`)
  }
}
