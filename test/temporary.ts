/**
 * Importing this makes `os.tmpdir()` a folder for the temporary files of a test process and its children, removed at its
 * end, so that even tests that are killed leave nothing behind.
 */
import { rmSync } from 'node:fs'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** The folder that `test/run.ts` creates for the whole run, and removes. */
const ofTheRun = process.env.PULLQUOTE_TEST_TMP
const folder = ofTheRun ?? makeTemporaryFolder()
if (!ofTheRun) process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
// Not set before this process starts: the cache of the TypeScript loader must outlive it.
process.env.TMPDIR = folder
