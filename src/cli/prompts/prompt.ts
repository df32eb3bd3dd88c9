/** What a question on the terminal is asked with: on stderr, since stdout is for data. */
export interface PromptContext {
  output: NodeJS.WriteStream
  signal: AbortSignal
}

/**
 * Asks one of inquirer's questions. Ctrl-C, Ctrl-D and `signal` end it with an error that `isInterruption` knows:
 * inquirer itself (7.10) lets a question hang for ever once Ctrl-D has closed its input.
 */
export async function prompt<T>(question: (context: PromptContext) => Promise<T>, signal?: AbortSignal): Promise<T> {
  const ended = new AbortController()
  const end = () => ended.abort()
  const onKey = (_text: string | undefined, key: { ctrl?: boolean; name?: string }) => {
    if (key.ctrl && key.name === 'd') end()
  }
  if (signal?.aborted) end()
  signal?.addEventListener('abort', end)
  process.stdin.on('keypress', onKey)
  try {
    return await question({ output: process.stderr, signal: ended.signal })
  } finally {
    process.stdin.off('keypress', onKey)
    signal?.removeEventListener('abort', end)
  }
}

/** A question of yes or no; Enter alone is a no. */
export async function promptYesNo(message: string, signal: AbortSignal): Promise<boolean> {
  const { confirm } = await import('@inquirer/prompts')
  return prompt((context) => confirm({ message, default: false }, context), signal)
}
