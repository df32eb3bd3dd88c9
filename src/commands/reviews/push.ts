import { stat } from 'node:fs/promises'
import { Flags } from '@oclif/core'
import { BaseCommand } from '../../cli/base-command.ts'
import { usageError } from '../../cli/errors/cli-error.ts'
import { clientFlags, requiredArg } from '../../cli/flags.ts'
import { describeInvalidRecord, INVALID_SHOWN } from '../../cli/push/check-records.ts'
import { checkFile, pushFile } from '../../cli/push/push-records.ts'
import { formatCount, pluralize } from '../../contract/counts.ts'

export default class ReviewsPush extends BaseCommand {
  static override description = `Pushes reviews in the format of the API: a JSON array or JSON lines, of any length.

All records are checked before the first one is sent. If any are invalid, they are listed and nothing is pushed, unless \
--skip-invalid leaves them out. Standard input can be read only once, so the records before an invalid one may already be \
stored. It is always safe to run the command again: source and external_id identify each review.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> reviews.json',
    '<%= config.bin %> <%= command.id %> reviews.jsonl --project hotel-aurora --env test',
    'zcat reviews.jsonl.gz | <%= config.bin %> <%= command.id %> - --skip-invalid',
  ]
  static override args = { file: requiredArg('file of reviews, or - for standard input') }
  static override flags = {
    'skip-invalid': Flags.boolean({ description: 'leave out invalid records and push the others', default: false }),
    wait: Flags.boolean({
      description:
        'wait until the reviews are indexed (and other reviews of the project, while more than 100 are waiting)',
      default: false,
    }),
    ...clientFlags,
  }

  async run() {
    const { args, flags } = await this.parse(ReviewsPush)
    const started = Date.now()
    const { file } = args
    if (file === '-' && flags['key-stdin']) {
      throw usageError('standard input cannot hold both the key and the reviews', 'give the key in PULLQUOTE_KEY')
    }
    const options = { skipInvalid: flags['skip-invalid'], signal: this.interruptSignal, reporter: this }
    // A pipe such as `<(zcat reviews.jsonl.gz)` can be read only once, like standard input.
    const stats = file === '-' ? undefined : await stat(file).catch(() => undefined)
    const isPipe = file === '-' || (stats !== undefined && !stats.isFile() && !stats.isDirectory())
    const total = isPipe ? undefined : await checkFile(file, options)
    const { pushed, stored, deferred, invalid, invalidCount } = await this.withClient(flags, (session) =>
      pushFile(file, session, { ...options, total, wait: flags.wait }),
    )
    const seconds = (Date.now() - started) / 1000
    for (const record of invalid.slice(0, INVALID_SHOWN)) {
      const { path, message } = describeInvalidRecord(record)
      this.info(`Left out ${path} ${message}`)
    }
    if (invalidCount > INVALID_SHOWN) this.info(`… and ${formatCount(invalidCount - INVALID_SHOWN)} more.`)
    const skipped = invalidCount === 0 ? '' : `, left out ${formatCount(invalidCount)}`
    this.log(`Pushed ${pluralize(pushed, 'review')}${skipped} in ${seconds.toFixed(1)} s.`)
    if (deferred) {
      this.info(
        'The server has stored the reviews and indexes them later: its allowance of today is used up, or many are waiting. You do not need to do anything.',
      )
    }
    return { pushed, stored, skipped: invalidCount, deferred, seconds, invalid }
  }
}
