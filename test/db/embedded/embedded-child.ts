/** A process that writes into the embedded database of HOME until it is killed: `tsx embedded-child.ts HOME`. */
import { openEmbedded } from '../../../server/db/embedded/open-embedded.ts'
import { migrate } from '../../../server/db/migrate.ts'
import { silent } from '../../database.ts'

const { sql } = await openEmbedded(process.argv[2] ?? '', silent)
await migrate(sql, silent)
for (let n = 1; ; n++) {
  await sql`insert into embedding_models (name, dimensions) values (${`m${n}`}, ${n})`
  // What was said is committed.
  console.log(n)
}
