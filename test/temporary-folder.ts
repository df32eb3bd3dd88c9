import { chmodSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** macOS gives each user a temporary folder of fifty characters; half of what a socket's path may have is gone then. */
const LONGEST_PARENT = 32

/** Its path is short, since sockets lie below it. A program that runs as another user may pass through it. */
export function makeTemporaryFolder(): string {
  const isLong = process.platform !== 'win32' && tmpdir().length > LONGEST_PARENT
  const folder = mkdtempSync(join(isLong ? realpathSync('/tmp') : tmpdir(), 'pullquote-tests-'))
  chmodSync(folder, 0o711)
  return folder
}
