/** What bin/run.js runs: one entry, so that the build can put the package beside the commands that share it. */
export { execute } from '@oclif/core'
