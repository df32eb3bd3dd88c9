import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'
import { imports, sources } from './source.ts'

/** Loaded by their names: a command by oclif, a hook by package.json, the command line by bin/run.js, the kernel by its compiler. */
const ENTRIES = /^src\/commands\/|^src\/cli\/(hooks\/|main\.ts)|\.assembly\.ts$/

/** Only tests and measurements call these, with why each is there. */
const FOR_TESTS: Record<string, string> = {
  'server/db/backup/format.ts LEFT_OUT': 'every table is in a backup or here, so that a new one is not forgotten',
  'server/db/home/home-lock.ts readHomeHolder': 'what the lock says, as another process reads it',
  'server/sentiment/classifier.ts readSentimentModel': 'the model without the languages, to be measured',
}

const PRODUCT = /^(bin|src|server|snippet|console|scripts)\//

const importers = new Map<string, Set<string>>()
for (const { from, to, names } of imports) {
  for (const name of names) importers.set(`${to} ${name}`, (importers.get(`${to} ${name}`) ?? new Set()).add(from))
}

function importersOf(path: string, name: string): string[] {
  return [...(importers.get(`${path} ${name}`) ?? []), ...(importers.get(`${path} *`) ?? [])]
}

const exported = sources
  .flatMap((source) => source.exports)
  .filter(({ path, isValue }) => isValue && PRODUCT.test(path) && !ENTRIES.test(path))

const test = suite('exports')

test('what nobody else imports is not exported', () => {
  const alone = exported.filter(
    // The contract is a vocabulary: its schemas are there to be used.
    ({ path, name }) => !path.startsWith('src/contract/') && importersOf(path, name).length === 0,
  )
  assert.equal(
    alone.map(({ path, name }) => `${path} ${name}`),
    [],
  )
})

test('no code is there for tests alone, but for what is listed with its reason', () => {
  const untouched = exported.filter(
    ({ path, name, usedInside }) => !usedInside && !importersOf(path, name).some((from) => PRODUCT.test(from)),
  )
  assert.equal(untouched.map(({ path, name }) => `${path} ${name}`).sort(), Object.keys(FOR_TESTS).sort())
})

test.run()
