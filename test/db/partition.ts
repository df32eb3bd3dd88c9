import { readFile } from 'node:fs/promises'
import type { Pool } from '../../server/deps.ts'
import { fencedBlocks } from '../docs/markdown.ts'

const page = new URL('../../docs/scaling.md', import.meta.url)

/** Partitions the tables of reviews by project, with the statements of docs/scaling.md as they stand there. */
export async function partition(sql: Pool): Promise<void> {
  const script = fencedBlocks(await readFile(page, 'utf8')).find(({ language }) => language === 'sql')
  if (!script) throw new Error('docs/scaling.md has no SQL')
  const statements = script.text.replace(/^begin;$/m, '').replace(/^commit;$/m, '')
  await sql.begin((tx) => tx.unsafe(statements))
}
