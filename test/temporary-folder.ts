import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Its path is short, since sockets lie below it. A program that runs as another user may pass through it. */
export function makeTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pullquote-tests-'))
  chmodSync(folder, 0o711)
  return folder
}
