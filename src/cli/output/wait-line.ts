import { SILENCE_SECONDS, type Wait } from '../../client/retry.ts'
import { formatDuration } from './format.ts'
import { oneLine } from './text.ts'

const WAIT_REASONS: Record<Wait['reason'], string> = {
  rate_limited: 'The rate limit of the key was reached',
  service_unavailable: 'The service is not available',
  embedding_unavailable: 'Searches are not answered',
  connection_failed: 'The server does not answer',
}

/** Why a command waits, and for how long. */
export function waitLine(wait: Wait): string {
  const next = `next try in ${formatDuration(wait.seconds)} (${wait.attempt + 1} of ${wait.attempts})`
  return `${WAIT_REASONS[wait.reason]}${causeOf(wait)}; ${next}.`
}

/** The first sentence of the server's message: unlike a start, a full disk or another model does not resolve itself. */
function causeOf({ reason, message }: Wait): string {
  if (reason !== 'service_unavailable' && reason !== 'embedding_unavailable') return ''
  const [sentence = ''] = oneLine(message).split(/\.(?:\s|$)/)
  return sentence === '' ? '' : ` (${sentence})`
}

/** Printed once while a request gets no answer. */
export const SILENCE_LINE = `No answer for ${formatDuration(SILENCE_SECONDS)}; still waiting.`
