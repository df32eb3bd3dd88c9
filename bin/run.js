#!/usr/bin/env node
import module from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

// Node 22.1 keeps compiled code from run to run. In a folder of this user: who can write there decides what is run.
const { enableCompileCache } = /** @type {{ enableCompileCache?: (folder: string) => unknown }} */ (module)
enableCompileCache?.(join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'pullquote', 'compiled'))
// oclif reads a version library of 50 files to compare Node's version with what oclif needs, which is less than we need.
process.env.OCLIF_DISABLE_ENGINE_WARNING ??= '1'
const { execute } = await import(new URL('../dist/cli/cli/main.js', import.meta.url).href)
await execute(join(import.meta.dirname, '..'))
