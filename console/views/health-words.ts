import type { ServerCheck } from '../../src/contract/doctor.ts'

type Words = [name: string, meaning: string]

const WORDS: Record<ServerCheck, Words> = {
  database: ['Database', 'Reviews cannot be read or stored.'],
  writing: ['Storing', 'Nothing new can be stored, and searches may be refused.'],
  locks: ['Other programs', 'Searches and new reviews wait for them, and fail after a while.'],
  migrations: ['Database tables', 'Parts of the server may fail until it is restarted.'],
  clock: ['Clocks', 'Limits and sign-ins may end too early or too late.'],
  collation: ['Letters and order', 'Searches may miss words with accents, and lists may leave something out.'],
  distribution: ['Spread across machines', 'Some of the data is on one machine only.'],
  queue: ['New reviews', 'New and changed reviews appear later than usual.'],
  'set aside': ['Reviews that failed', 'They are stored, but do not appear anywhere until they are retried.'],
  model: ['Language model', 'Searches may find the wrong reviews.'],
  embedding: [
    'Searches by meaning',
    'Pages with a new query show reviews late or not at all; recent queries still work.',
  ],
  scores: ['Scores', 'Searches may show reviews that do not fit, or leave out ones that do.'],
  memory: ['Search memory', 'Searches find the same reviews, but take longer.'],
  disk: ['Disk space', 'When it runs out, nothing new can be stored.'],
  origins: ['Sites', 'A site that is not listed shows no reviews. Add yours under Tag.'],
  network: ['Network', 'Keys and sign-ins could be intercepted.'],
  demo: ['Demo page', 'It may be empty, or visible to more people than intended.'],
  console: ['This page', 'What you do here could be intercepted.'],
}

/** The checks of `pullquote doctor` in the console's wording, and what a problem in each means for the reviews. */
export const CHECKS: Record<string, Words | undefined> = WORDS
