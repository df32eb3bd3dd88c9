import pc from 'picocolors'

/** What a stream can show. Commands get it as an argument, so that tests choose it. */
export interface Terminal {
  interactive: boolean
  /** Columns for wrapped text; a pipe has no edge. */
  columns: number
  style: Style
}

export type Style = ReturnType<typeof pc.createColors>

/** `NO_COLOR` (any value) and `TERM=dumb` switch colour off, `FORCE_COLOR` on; else a terminal has it and a pipe not. */
export function terminalOf(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Terminal {
  const interactive = stream.isTTY === true
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0'
  const colour = !env.NO_COLOR && env.TERM !== 'dumb' && (interactive || forced)
  const columns = interactive ? Math.max(40, stream.columns || 80) : Number.POSITIVE_INFINITY
  return { interactive, columns, style: pc.createColors(colour) }
}
