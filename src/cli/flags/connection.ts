import { Flags } from '@oclif/core'
import { SOURCES } from '../../contract/review.ts'

/** Flags that mean the same in every command that has them. Environment and profile rank below (see settings.ts). */

export const serverFlags = {
  url: Flags.string({
    description: 'address of a server; without it the one on this machine [env: PULLQUOTE_URL]',
    helpGroup: 'CONNECTION',
    helpValue: 'URL',
  }),
  profile: Flags.string({
    description: 'settings stored by `pullquote login` [env: PULLQUOTE_PROFILE]',
    helpGroup: 'CONNECTION',
    helpValue: 'NAME',
  }),
}

export const clientFlags = {
  ...serverFlags,
  key: Flags.string({
    description: 'API key; others on this machine can see it here, so prefer --key-stdin [env: PULLQUOTE_KEY]',
    helpGroup: 'CONNECTION',
    helpValue: 'KEY',
    exclusive: ['key-stdin'],
  }),
  'key-stdin': Flags.boolean({ description: 'read the API key from standard input', helpGroup: 'CONNECTION' }),
  project: Flags.string({
    description: 'project; default: that of the key, or the only one [env: PULLQUOTE_PROJECT]',
    helpGroup: 'CONNECTION',
    helpValue: 'NAME',
  }),
  env: Flags.string({
    description: 'environment; default: that of the key, or live [env: PULLQUOTE_ENV]',
    helpGroup: 'CONNECTION',
    options: ['live', 'test'],
  }),
}

export const yesFlag = {
  yes: Flags.boolean({ char: 'y', description: 'do not ask', default: false }),
}

export const sourceFlag = (description: string) => Flags.option({ description, options: SOURCES })()
