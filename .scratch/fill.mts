import postgres from 'postgres'
import { openBenchService } from '../bench/service.ts'
import { pushAll, pushBodies } from '../bench/ingest/fill.ts'
const kind = 'postgres://postgres@127.0.0.1:54329/postgres'
const service = await openBenchService(kind, { keys: 400 })
console.log(service.database.url)
const t = performance.now()
const n = Number(process.argv[2] ?? 100000)
await pushAll(service, pushBodies(n), 4)
console.log('filled', (performance.now() - t) / 1000)
await service.sql`vacuum analyze`
await service.worker.stop()
const name = new URL(service.database.url!).pathname.slice(1)
await service.sql.end()
const admin = postgres(kind, { max: 1 })
await admin.unsafe(`alter database ${name} rename to pullquote_c_${process.argv[3] ?? 'big'}`)
await admin.end()
console.log('done')
