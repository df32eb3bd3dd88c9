import { isatty } from 'node:tty'
import { Command, Errors, Flags, type Interfaces } from '@oclif/core'
import { connect } from '../client/connect.ts'
import { Cancelled } from '../client/errors.ts'
import type { Operator } from '../client/operator.ts'
import type { Wait } from '../client/retry.ts'
import { codeOf } from '../contract/code-of.ts'
import { type ClientSession, createSession, requireOperator, type Session, withClient } from './connection/session.ts'
import {
  type ConnectionFlags,
  isReadableByOthers,
  profilesPath,
  readProfiles,
  resolveSettings,
  type Settings,
} from './connection/settings.ts'
import {
  type CliError,
  EXIT,
  type ExitCode,
  type FieldLabels,
  fileError,
  toCliError,
  toUsageError,
  usageError,
} from './errors/cli-error.ts'
import { errorJson } from './errors/early-error.ts'
import { errorText } from './errors/error-text.ts'
import { parserHints, parserMessage } from './errors/parser-message.ts'
import { findBooleanWithValue, findEmptyValue } from './flags.ts'
import { type OpeningNotice, openedLines, showOpeningNotice } from './output/opening-notice.ts'
import { type Progress, type Reporter, startProgress, type Terminal, terminalOf } from './output/terminal.ts'
import { printable, printableJson, withColoursOnly } from './output/text.ts'
import { SILENCE_LINE, waitLine } from './output/wait-line.ts'
import { wrapHint } from './output/wrap.ts'
import { type Confirmation, readSecret, requireConfirmation } from './prompts.ts'

/** systemd and terminals signal the whole process group, and npx, yarn or bunx forwards it: one signal arrives twice. */
const SAME_SIGNAL_MS = 500

/** Base of all commands: settings, sessions, output on stderr, failures with their exit codes, Ctrl-C. */
export abstract class BaseCommand extends Command implements Reporter {
  static override enableJsonFlag = true
  static override baseFlags = {
    'no-progress': Flags.boolean({
      description: 'show no spinner and no progress',
      default: false,
      helpGroup: 'GLOBAL',
    }),
  }

  readonly terminal: Terminal = terminalOf(process.stdout, process.env)
  readonly stderrTerminal: Terminal = terminalOf(process.stderr, process.env)
  readonly #interrupt = new AbortController()
  #handlesSignals = false
  /** The exit code for the signal that ended the command, by shell convention. */
  #endedBy: ExitCode = EXIT.interrupted
  #hungUp = false
  #pipedKey: Promise<string> | undefined
  readonly #warned = new Set<string>()

  protected override async init(): Promise<void> {
    await super.init()
    // The reader has gone away, as after `2>&1 | head`, or a log's disk is full: the command carries on.
    process.stderr.on('error', () => {})
    // oclif's own listener would throw uncaught, for example when stdout is a file on a full disk.
    process.stdout.removeAllListeners('error').on('error', (error: NodeJS.ErrnoException) => {
      // A terminal that is gone takes no more, and the command is being ended already.
      if (error.code === 'EPIPE' || this.#interrupt.signal.aborted) return
      this.writeStderr(this.renderError(fileError(error, 'standard output') ?? toCliError(error)))
      process.exit(EXIT.failed)
    })
  }

  /** Rejects empty values: most often an unset shell variable, and `watch "$INBOX"` must not watch the current folder. */
  protected override async parse<
    F extends Interfaces.OutputFlags<Interfaces.FlagInput>,
    B extends Interfaces.OutputFlags<Interfaces.FlagInput>,
    A extends Interfaces.OutputArgs<Interfaces.ArgInput>,
  >(options?: Interfaces.Input<F, B, A>, argv?: string[]): Promise<Interfaces.ParserOutput<F, B, A>> {
    const flag = findBooleanWithValue(argv ?? this.argv, { ...this.ctor.baseFlags, ...this.ctor.flags })
    if (flag !== undefined) throw usageError(`${flag} takes no value`, `write ${flag} without a value, or leave it out`)
    const parsed = await super.parse(options, argv)
    const finding = findEmptyValue(parsed, Object.values(this.fieldLabels))
    if (finding !== undefined) throw usageError(`${finding} must not be empty`)
    return parsed
  }

  /** Aborts on the first Ctrl-C, SIGTERM or loss of the terminal; a second one ends the process at once. */
  get interruptSignal(): AbortSignal {
    if (!this.#handlesSignals) {
      this.#handlesSignals = true
      let first = 0
      const end = (code: ExitCode) => {
        if (this.#interrupt.signal.aborted) {
          if (performance.now() - first > SAME_SIGNAL_MS) process.exit(this.secondSignalCode ?? code)
          return
        }
        first = performance.now()
        this.#endedBy = code
        this.#interrupt.abort()
      }
      process.on('SIGINT', () => end(EXIT.interrupted))
      process.on('SIGTERM', () => end(EXIT.terminated))
      const isInTerminal = [0, 1, 2].some((fd) => isatty(fd))
      // Without a terminal it is ignored: nohup ignores it for its child, and Node undoes that.
      process.on('SIGHUP', () => {
        if (!isInTerminal) return
        this.#hungUp = true
        end(EXIT.interrupted)
      })
    }
    return this.#interrupt.signal
  }

  /** Writes data at the reader's pace. @throws {ReaderGone} when the pipe is closed, as by `| head`: ends with exit code 0 */
  writeStdout(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      process.stdout.write(text, (error) => {
        if (!error) resolve()
        else reject(codeOf(error) === 'EPIPE' ? new ReaderGone() : error)
      })
    })
  }

  protected override logJson(json: unknown): void {
    process.stdout.write(`${printableJson(json, 2)}\n`)
  }

  /** {@link requireConfirmation}; call it outside a session, so that nobody waits for the embedded database. */
  confirm(question: string, options: Omit<Confirmation, 'signal'>): Promise<void> {
    return requireConfirmation(question, { ...options, signal: this.interruptSignal })
  }

  /** Writes a line for people to stderr, with `--json` too: stdout is for data. */
  writeStderr(line: string): void {
    process.stderr.write(`${withColoursOnly(line)}\n`)
  }

  /** Writes a line for people to stdout; nothing with `--json`. */
  override log(line = ''): void {
    super.log(withColoursOnly(line))
  }

  /** Writes a wrapped line for people to stderr, keeping a command in it whole; nothing with `--json`. */
  info(line: string): void {
    if (!this.jsonEnabled()) this.writeStderr(wrapHint(printable(line), this.stderrTerminal.columns, 0, 2))
  }

  progress(text: string): Progress {
    const wanted = !this.argv.includes('--no-progress') && !(this.jsonEnabled() && !process.stderr.isTTY)
    return startProgress({ wanted, stream: process.stderr, style: this.stderrTerminal.style, text })
  }

  protected async settings(flags: ConnectionFlags): Promise<Settings> {
    if (flags['key-stdin']) this.#pipedKey ??= readSecret('API key', this.interruptSignal)
    const key = flags['key-stdin'] ? await this.#pipedKey : flags.key
    const { configDir, dataDir } = this.config
    const settings = resolveSettings({ ...flags, key }, process.env, await readProfiles(configDir), dataDir)
    const warnings = settings.notices.map((notice) => `Note: ${notice}.`)
    if (settings.profile !== undefined && (await isReadableByOthers(profilesPath(configDir)))) {
      warnings.push(
        `Warning: others on this machine can read ${profilesPath(configDir)}. To fix this, run chmod 600 on it.`,
      )
    }
    for (const warning of warnings) if (!this.#warned.has(warning)) this.writeStderr(warning)
    for (const warning of warnings) this.#warned.add(warning)
    return settings
  }

  /** Runs `work` over the connection that the flags ask for, and always closes it. */
  protected async withSession<T>(flags: ConnectionFlags, work: (session: Session) => Promise<T>): Promise<T> {
    const settings = await this.settings(flags)
    // Installs the signal handlers before the database is opened, so that Ctrl-C always closes it.
    const signal = this.interruptSignal
    let opening: OpeningNotice | undefined
    const connection = await connect({ ...settings, env: process.env, signal }, () => {
      opening ??= showOpeningNotice(this)
    }).finally(() => opening?.stop())
    try {
      // Opening the database cannot be cancelled, and takes long enough for a Ctrl-C.
      if (signal.aborted) throw new Cancelled()
      for (const line of connection.opened ? openedLines(connection.opened) : []) this.writeStderr(line)
      const notices = {
        onWait: (wait: Wait) => this.writeStderr(waitLine(wait)),
        onSilence: () => this.writeStderr(SILENCE_LINE),
      }
      return await work(createSession(connection, settings, { signal, notices }))
    } finally {
      await connection.close()
    }
  }

  /** Like `withSession`, with the operator's routes. @throws {CliError} when there is no operator token */
  protected withOperator<T>(
    flags: ConnectionFlags,
    work: (operator: Operator, session: Session) => Promise<T>,
  ): Promise<T> {
    return this.withSession(flags, async (session) => work(requireOperator(session), session))
  }

  protected withClient<T>(flags: ConnectionFlags, work: (session: ClientSession) => Promise<T>): Promise<T> {
    return this.withSession(flags, (session) => withClient(session, work))
  }

  protected override async catch(error: Error): Promise<never> {
    if (error instanceof Errors.ExitError) throw error
    if (error instanceof ReaderGone) throw new Errors.ExitError(0)
    const isOfParser = 'oclif' in error
    const failure = isOfParser ? this.parserFailure(error) : toCliError(toUsageError(error, this.fieldLabels) ?? error)
    this.writeStderr(this.renderError(failure))
    if (failure.code === 'unexpected' && process.env.DEBUG) this.writeStderr(error.stack ?? '')
    // oclif ends the process at once, and with it what the reader of a pipe has not taken yet (beyond 64 KB).
    await new Promise<void>((resolve) => process.stderr.write('', () => resolve()))
    throw new Errors.ExitError(failure.exitCode === EXIT.interrupted ? this.#endedBy : failure.exitCode)
  }

  protected override async finally(error: Error | undefined): Promise<void> {
    await super.finally(error)
    if (!this.#hungUp) return
    // Ended by the signal, as any program whose terminal is gone: Node aborts at an exit where it cannot reset the terminal.
    process.removeAllListeners('SIGHUP')
    process.kill(process.pid, 'SIGHUP')
  }

  /** The exit code after a second signal; defaults to that of the signal. */
  protected readonly secondSignalCode: ExitCode | undefined

  /** Maps request fields to their names on the command line, so that the server's validation errors name the flag. */
  protected readonly fieldLabels: FieldLabels = {}

  private parserFailure(error: Error): CliError {
    const name = `${this.config.bin} ${(this.id ?? '').replaceAll(':', ' ')}`
    const flags = Object.keys({ ...this.ctor.baseFlags, ...this.ctor.flags, json: 0, help: 0 })
    const takesArguments = Object.keys(this.ctor.args).length > 0
    return usageError(parserMessage(error), ...parserHints(error, { name, flags, takesArguments }), `${name} --help`)
  }

  private renderError(failure: CliError): string {
    return this.jsonEnabled() ? errorJson(failure) : errorText(failure, this.stderrTerminal)
  }
}

/** The reader of stdout has closed it. */
class ReaderGone extends Error {}
