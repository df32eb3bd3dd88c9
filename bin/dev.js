#!/usr/bin/env node
// Runs the command line from its TypeScript source, without a build.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execute } from '@oclif/core'
import { register } from 'tsx/esm/api'

register()
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8').replaceAll('./dist/cli/', './src/'))
await execute({ loadOptions: { root, pjson } })
