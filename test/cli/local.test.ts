import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { passesOnSomeTry, until } from '../waiting.ts'
import { newHomeWithDatabase, runCli } from './run-cli.ts'

const test = suite('the command line without a server')
const home = await newHomeWithDatabase()
/** So many take half the time to index that all of the demonstration's take. */
const REVIEWS = 20
const all = JSON.parse(readFileSync(join(import.meta.dirname, '../../templates/demo/reviews.json'), 'utf8'))
const sample = join(home, 'reviews.json')
writeFileSync(sample, JSON.stringify(all.slice(0, REVIEWS)))
const lockFile = join(home, 'data', 'pullquote', 'server.json')

async function json(args: string[], stdin?: string) {
  const { code, stdout, stderr } = await runCli(home, [...args, '--json'], stdin === undefined ? {} : { stdin })
  assert.is(code, 0, `${args.join(' ')}: ${stderr}`)
  return JSON.parse(stdout)
}

test('without a server, a query before there is a project says what to do', async () => {
  const { code, stderr } = await runCli(home, ['query', 'x'])
  assert.is(code, 1)
  assert.match(stderr, /there is no project yet/)
  assert.match(stderr, /pullquote projects create NAME/)
})

test('projects are made, listed, set and not made twice', async () => {
  const made = await json(['projects', 'create', 'hotel', '--origin', 'https://hotel.example'])
  assert.equal([made.name, made.plan, made.origins], ['hotel', 'free', ['https://hotel.example']])
  const again = await runCli(home, ['projects', 'create', 'hotel'])
  assert.is(again.code, 2)
  assert.match(again.stderr, /name .*another project|plan .*free/)
  assert.is((await json(['projects', 'set', 'hotel', '--plan', 'paid', '--min-rating', '3'])).min_rating, 3)
  assert.is((await json(['projects', 'list'])).projects.length, 1)
  assert.match((await runCli(home, ['projects', 'show', 'hotl'])).stderr, /did you mean "hotel"\?/)
})

test('a push in this process is indexed when the command ends', async () => {
  const { pushed, deferred } = await json(['reviews', 'push', sample])
  assert.equal([pushed, deferred], [REVIEWS, false])
  const { reviews } = await json(['reviews', 'list', '--indexed', 'false'])
  assert.is(reviews.length, 0)
  assert.equal((await json(['projects', 'show', 'hotel'])).reviews, { live: REVIEWS, test: 0 })
})

test('the same push again adds nothing', async () => {
  await json(['reviews', 'push', sample])
  assert.equal((await json(['projects', 'show', 'hotel'])).reviews, { live: REVIEWS, test: 0 })
})

test('a query that this process had no time to index everything for says who does', async () => {
  const run = (args: string[]) => runCli(home, [...args, '--env', 'test'], { env: { PULLQUOTE_DAILY_EMBEDDINGS: '1' } })
  assert.is((await run(['reviews', 'push', sample])).code, 0)
  assert.match((await run(['query', 'breakfast'])).stderr, /not indexed yet .*: pullquote serve indexes them all\./)
  assert.is((await run(['reviews', 'wipe', '--yes'])).code, 0)
})

test('environments are apart, and one is wiped without the other', async () => {
  await json(['reviews', 'push', '-', '--env', 'test'], readFileSync(sample, 'utf8'))
  const refused = await runCli(home, ['reviews', 'wipe', '--env', 'test'])
  assert.is(refused.code, 2)
  assert.match(refused.stderr, /--yes/)
  assert.is((await json(['reviews', 'wipe', '--env', 'test', '--yes'])).deleted, REVIEWS)
  assert.equal((await json(['projects', 'show', 'hotel'])).reviews, { live: REVIEWS, test: 0 })
})

test('Ctrl-C while the database is opened ends the command before it does anything', async () => {
  let tries = 0
  await passesOnSomeTry(async () => {
    const name = `never-${tries++}`
    const { code, stderr } = await runCli(home, ['projects', 'create', name, '--plan', 'paid'], {
      onStart: async (child) => {
        // The lock file is there when the opening has begun.
        await until('the database is opened', () => child.exitCode !== null || existsSync(lockFile), 5)
        child.kill('SIGINT')
      },
    })
    if (code === 0) return 'it was faster than the signal'
    assert.is(code, 130, stderr)
    assert.match(stderr, /interrupted/)
    const { projects } = await json(['projects', 'list'])
    assert.not(projects.some((project: { name: string }) => project.name === name))
    return undefined
  })
})

test('two commands at once take turns at the database', async () => {
  const [one, two] = await Promise.all([runCli(home, ['projects', 'list']), runCli(home, ['projects', 'list'])])
  assert.equal([one.code, two.code], [0, 0], one.stderr + two.stderr)
})

test('a project is deleted only when told so', async () => {
  assert.is((await runCli(home, ['projects', 'delete', 'hotel'])).code, 2)
  assert.is((await json(['projects', 'delete', 'hotel', '--yes'])).deleted, true)
  assert.equal((await json(['projects', 'list'])).projects, [])
})

test.run()
