/**
 * Creates the empty database that a first start unpacks (server/db/home/empty-database.ts). It is cached in node_modules
 * per version of PGlite, since creating it takes four seconds.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { zipSync } from 'fflate'
import * as v from 'valibot'
import { initializeDatabase } from '../server/db/embedded/thread.ts'

const packages = join(import.meta.dirname, '..', 'node_modules')
/** Path within dist/. */
export const EMPTY_DATABASE = join('server', 'db', 'home', 'empty-database.zip.br')

/** @param draft absolute path of the folder that becomes dist/ */
export async function buildEmptyDatabase(draft: string): Promise<void> {
  const cached = join(packages, `.pullquote-empty-database-${pgliteVersion()}`)
  if (!existsSync(cached)) await create(cached)
  mkdirSync(dirname(join(draft, EMPTY_DATABASE)), { recursive: true })
  copyFileSync(cached, join(draft, EMPTY_DATABASE))
}

function pgliteVersion(): string {
  const path = join(packages, '@electric-sql', 'pglite', 'package.json')
  return v.parse(v.object({ version: v.string() }), JSON.parse(readFileSync(path, 'utf8'))).version
}

async function create(path: string): Promise<void> {
  const work = mkdtempSync(join(packages, '.pullquote-empty-database-draft-'))
  try {
    const dataDir = join(work, 'data')
    await initializeDatabase({ dataDir, shortLived: true }, { debug() {}, info() {}, warn() {}, error() {} })
    writeFileSync(join(work, 'packed'), pack(dataDir))
    renameSync(join(work, 'packed'), path)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/**
 * Packs the folder with files of the same name next to each other: its three databases are nearly identical, and with a
 * compression window that spans from one to the next they take 1.7 MB instead of 4.3.
 */
function pack(folder: string): Uint8Array {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(folder.length + 1).replaceAll('\\', '/')
    return entry.isDirectory() ? { name: `${name}/`, content: new Uint8Array() } : { name, content: readFileSync(path) }
  })
  entries.sort((a, b) => basename(a.name).localeCompare(basename(b.name), 'en'))
  const zip = zipSync(Object.fromEntries(entries.map(({ name, content }) => [name, content])), { level: 0 })
  return brotliCompressSync(zip, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: zip.length,
    },
  })
}
