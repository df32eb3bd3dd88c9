// @ts-check
// What a process of tests is started with: its TypeScript comes from the folder that test/transpile.ts has filled.
import { register } from 'node:module'

register('./transpiled-hooks.js', import.meta.url)
process.setSourceMapsEnabled(true)
