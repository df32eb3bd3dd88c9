import { createPostgresDatabase } from '../database.ts'
import { cancelledLookUps } from './cancelled-look-up.ts'

cancelledLookUps('on PostgreSQL', createPostgresDatabase, ['rate_windows', 'environments'])
