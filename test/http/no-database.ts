import postgres from 'postgres'
import type { AppDeps } from '../../server/app-deps.ts'
import { silent } from '../database.ts'
import { explainsNothing } from './explains-nothing.ts'

/** What an application needs, with a database that nobody listens for: every query is refused. */
export function noDatabase(): AppDeps {
  return {
    // Port 9 (discard) is one that nothing listens on here.
    sql: postgres('postgres://nobody@127.0.0.1:9/none', { max: 1, connect_timeout: 1, onnotice() {} }),
    search: async () => ({ ok: true, results: [], match: 'none', cache: 'MISS' }),
    explain: explainsNothing,
    insights: { nearest: async () => [], counting: true },
    doctor: async () => [],
    worker: { nudge() {}, state: () => ({ status: 'idle', indexed: 0, failed: 0 }) },
    clock: () => new Date(),
    log: silent,
    docsUrl: 'http://docs.test/docs',
    operatorToken: 'operator-token-of-the-tests',
    cursorSecret: new Uint8Array(32),
    allowance: {},
    model: { name: 'none', id: 1 },
  }
}
