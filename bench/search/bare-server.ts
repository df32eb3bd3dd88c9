/** The baseline of `cached.ts`: an h3 route that does one `select` through postgres.js. Prints its address. */
import { H3 } from 'h3'
import postgres from 'postgres'
import { listen } from '../../server/http/listen.ts'
import { silent } from '../service.ts'

const sql = postgres(process.argv[2] ?? '')
const app = new H3()
app.get('/', async () => {
  const [row] = await sql`select id, name, plan, created_at from projects limit 1`
  return row
})
const { url } = await listen((request) => app.fetch(request), {
  host: '127.0.0.1',
  port: 0,
  log: silent,
  docsUrl: () => '',
})
console.log(url)
