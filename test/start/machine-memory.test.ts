import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as assert from 'uvu/assert'
import { limitOfGroups } from '../../server/machine-memory.ts'
import { suite } from '../suite.ts'

const test = suite("the memory of this process's control groups")

/** The limit that is read from these files of a file system, by path. */
async function limitIn(files: Record<string, string>): Promise<number> {
  const root = await mkdtemp(join(tmpdir(), 'pullquote-groups-'))
  try {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), content)
    }
    return limitOfGroups(root)
  } finally {
    await rm(root, { recursive: true })
  }
}

const slice = 'sys/fs/cgroup/user.slice/user-1000.slice'

test('is the least limit of any group around it', async () => {
  const limits = (inner: string, outer: string) =>
    limitIn({
      'proc/self/cgroup': '0::/user.slice/user-1000.slice/shop.service\n',
      [`${slice}/shop.service/memory.max`]: inner,
      [`${slice}/memory.max`]: outer,
      'sys/fs/cgroup/user.slice/memory.max': 'max\n',
    })
  assert.is(await limits('max\n', '268435456\n'), 268435456)
  assert.is(await limits('1000000\n', '268435456\n'), 1000000)
  assert.is(await limits('max\n', 'max\n'), Infinity)
})

test('is what the first version of control groups says of all of them', async () => {
  const files = {
    'proc/self/cgroup': '5:cpu:/\n4:memory:/customer/app\n0::/\n',
    'sys/fs/cgroup/memory/customer/app/memory.stat': 'cache 1\nhierarchical_memory_limit 268435456\nactive_anon 2\n',
  }
  assert.is(await limitIn(files), 268435456)
})

test('is none where the system tells nothing of groups', async () => {
  assert.is(await limitIn({}), Infinity)
  assert.is(await limitIn({ 'proc/self/cgroup': '0::/\n' }), Infinity)
  assert.is(await limitIn({ 'proc/self/cgroup': '0::/../../outside\n' }), Infinity)
})

test.run()
