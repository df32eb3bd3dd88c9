/** The control: answers at once, after a `select 1` where there is a database to ask. Prints its address. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import postgres from 'postgres'

const database = process.argv[2]
const sql = database ? postgres(database, { max: 1, onnotice() {} }) : undefined
const server = createServer(async (_request, response) => {
  if (sql) await sql`select 1`
  response.end('{}')
})
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
})
process.on('disconnect', () => process.exit(0))
