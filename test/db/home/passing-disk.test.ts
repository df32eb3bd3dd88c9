import { platform } from 'node:process'
import * as assert from 'uvu/assert'
import { readConfig } from '../../../server/config.ts'
import { passingDiskWarning } from '../../../server/db/home/passing-disk.ts'
import { suite } from '../../suite.ts'

const test = suite('an embedded database on a disk that does not last')

const EXT4 = 0xef53
const OVERLAY = 0x794c7630
const onDisk = (type: number, withSystem: boolean, host?: string) =>
  passingDiskWarning('/data', host, () => ({ type, withSystem }))

if (platform === 'linux') {
  test('is told in a container without a volume, and in memory', () => {
    assert.match(onDisk(OVERLAY, true) ?? '', /^The embedded database in \/data is on the container's own disk/)
    assert.match(passingDiskWarning('/dev/shm', undefined) ?? '', /is in memory.* Put PULLQUOTE_HOME on a volume/)
  })

  test('is told on a platform that discards it, unless it is on a volume', () => {
    assert.match(onDisk(EXT4, true, 'Heroku') ?? '', /on a disk that Heroku discards.*, or set DATABASE_URL/)
    assert.is(onDisk(EXT4, false, 'Render'), undefined)
  })
}

test('is not what a machine of its own has, nor what cannot be looked at', () => {
  assert.is(onDisk(EXT4, true), undefined)
  assert.is(passingDiskWarning('/does/not/exist', undefined), undefined)
})

test('the platform is known by its own variable', () => {
  assert.is(readConfig({ RENDER: 'true' }).platform, 'Render')
  assert.is(readConfig({}).platform, undefined)
})

test.run()
