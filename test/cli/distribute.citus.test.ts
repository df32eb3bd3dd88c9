import * as assert from 'uvu/assert'
import { createCitusDatabase } from '../citus-database.ts'
import { suite } from '../suite.ts'
import { newHome, runCli } from './run-cli.ts'

const test = suite('pullquote database distribute')

test('says what it would do, asks, does it, and has nothing left to do; the doctor tells each', async () => {
  const { url, drop } = await createCitusDatabase({ migrated: false })
  const home = newHome()
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli(home, [...args, '--json'], { env: { DATABASE_URL: url } })
    return { code, stderr, answer: JSON.parse(stdout || '{}') }
  }
  const distribution = async () => {
    const { answer } = await run('doctor')
    return answer.findings.find(({ check }: { check: string }) => check === 'distribution')
  }
  try {
    assert.is((await run('projects', 'create', 'hotel')).code, 0)
    assert.match((await distribution()).message, /nothing is distributed/)
    const dry = await run('database', 'distribute', '--dry-run')
    assert.is(dry.answer.distributed, false)
    assert.is(dry.answer.servers.length, 2)
    assert.ok(dry.answer.tables.every(({ actual }: { actual: string }) => actual === 'local'))
    const unasked = await run('database', 'distribute')
    assert.is(unasked.code, 2)
    assert.match((await distribution()).message, /nothing is distributed/)
    assert.is((await run('database', 'distribute', '--yes')).answer.distributed, true)
    assert.equal((await distribution()).status, 'ok')
    assert.match((await distribution()).message, /by project: environments, reviews/)
    assert.is((await run('database', 'distribute', '--yes')).answer.distributed, false)
    const projects = await run('projects', 'list')
    assert.is(projects.answer.projects.length, 1)
  } finally {
    await drop()
  }
})

test.run()
