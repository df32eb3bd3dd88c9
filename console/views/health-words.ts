/** The checks of `pullquote doctor` in the console's wording, and what a problem in each means for the reviews. */
export const CHECKS: Record<string, [name: string, meaning: string] | undefined> = {
  database: ['Database', 'Reviews cannot be read or stored.'],
  migrations: ['Database tables', 'Parts of the server may fail until it is restarted.'],
  clock: ['Clocks', 'Limits and sign-ins may end too early or too late.'],
  distribution: ['Spread across machines', 'Some of the data is on one machine only.'],
  queue: ['New reviews', 'New and changed reviews appear later than usual.'],
  'set aside': ['Reviews that failed', 'They are stored, but do not appear anywhere until they are retried.'],
  model: ['Language model', 'Searches may find the wrong reviews.'],
  embedding: ['Searches by meaning', 'Pages with a new query show no reviews; recent queries still work.'],
  memory: ['Search memory', 'Searches find the same reviews, but take longer.'],
  disk: ['Disk space', 'When it runs out, nothing new can be stored.'],
  origins: ['Sites', 'A site that is not listed shows no reviews. Add yours under Tag.'],
  network: ['Network', 'Keys and sign-ins could be intercepted.'],
  demo: ['Demo page', 'It may be empty, or visible to more people than intended.'],
  console: ['This page', 'What you do here could be intercepted.'],
}
