import { createCitusDatabase } from '../citus-database.ts'
import { cancelledLookUps } from './cancelled-look-up.ts'

// The first is on the coordinator, the second on the project's own server.
cancelledLookUps('on a cluster', createCitusDatabase, ['rate_windows', 'environments'])
