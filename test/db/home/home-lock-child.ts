/**
 * A process that takes a home folder and holds it until it is killed: `tsx home-lock-child.ts HOME START_AT`. It prints
 * `held` or the code of the error.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { acquireHome } from '../../../server/db/home/home-lock.ts'

const [home = '', startAt = '0'] = process.argv.slice(2)
await sleep(Math.max(0, Number(startAt) - Date.now()))
try {
  await acquireHome(home)
  console.log('held')
  setInterval(() => {}, 1000)
} catch (error) {
  console.log(error instanceof Error && 'code' in error ? error.code : error)
}
