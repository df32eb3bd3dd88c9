#!/usr/bin/env node
import module from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

// Node 22.1 keeps compiled code from run to run. In a folder of this user: who can write there decides what is run.
const { enableCompileCache } = /** @type {{ enableCompileCache?: (folder: string) => unknown }} */ (module)
enableCompileCache?.(join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'pullquote', 'compiled'))
const { execute } = await import('@oclif/core')
await execute({ dir: import.meta.url })
