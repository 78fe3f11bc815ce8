import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { secretMembers } from '@tendon/http'
import { sharedCore, type TestCore } from '../testing/core.ts'

describe('answers that hold secrets', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  test('every read whose contract has a member that looks like a secret declares it, and no other', () => {
    const reads = core.app.routes.filter(({ method }) => method === 'GET')
    const found = reads.flatMap((route) => {
      const members = secretMembers(route)
      return members.length > 0 ? [`${route.url} (${members.join(', ')})`] : []
    })
    const declared = reads.filter(({ config }) => config?.secretAnswer).map(({ url }) => url)
    assert.deepEqual(
      found.filter((one) => !declared.includes(one.split(' ')[0] ?? '')),
      [],
    )
    assert.deepEqual(
      declared.filter((url) => !found.some((one) => one.startsWith(`${url} `))),
      [],
    )
    assert.ok(declared.length > 5)
  })
})
