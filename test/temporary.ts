/**
 * One folder for all that a process of tests and its children put aside, removed at its end. A test that ends early, or is
 * ended, leaves nothing in the machine's own. Importing this is enough: from then on `os.tmpdir()` is that folder.
 */
import { rmSync } from 'node:fs'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** What `test/run.ts` made for the whole run, and removes. */
const ofTheRun = process.env.PULLQUOTE_TEST_TMP
const folder = ofTheRun ?? makeTemporaryFolder()
if (!ofTheRun) process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
// Not before this process started: where the loader of TypeScript keeps what it has transformed must last.
process.env.TMPDIR = folder
