/** The checks of `pullquote doctor` in the console's wording, and what a problem in each means for the reviews. */
export const CHECKS: Record<string, [name: string, meaning: string] | undefined> = {
  database: ['Database', 'Reviews cannot be read or stored.'],
  migrations: ['Tables of the database', 'Parts of the server may fail until it is started again.'],
  clock: ['Clocks', 'Limits and sign-ins may end too early or too late.'],
  distribution: ['Spread over several machines', 'Some of the data lies on one machine alone.'],
  queue: ['New reviews', 'New and changed reviews appear later than usual.'],
  'set aside': ['Reviews that failed', 'They are stored, but appear nowhere until they are tried again.'],
  model: ['Language model', 'Searches may find other reviews than they should.'],
  embedding: [
    'Searches by meaning',
    'Pages that ask something new show no reviews; what was asked lately still appears.',
  ],
  memory: ['Memory for searches', 'Searches find the same, more slowly.'],
  disk: ['Room on the disk', 'When there is none, nothing new is stored.'],
  origins: ['Sites', 'A site that is not listed shows no reviews. Add yours under Tag.'],
  network: ['Network', 'Keys and sign-ins may be read on their way.'],
  demo: ['Demo page', 'It may be empty, or seen by more people than are meant to.'],
  console: ['This page', 'Who listens on the way may read what you do here.'],
}
