import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type AuditEntry, systemContext } from '@tendon/access'
import type { TenantTx } from '@tendon/db'
import { sharedCore, type TestCore } from '../testing/core.ts'
import { recorder } from './recorder.ts'

interface Ball {
  id: string
  name: string
  colour: string | null
}

const record = recorder({
  target: ({ id, name }: Ball) => ({ type: 'ball', id, label: name }),
  facts: ({ name, colour }) => ({ name, colour }),
  payload: ({ id }) => ({ ball_id: id }),
  acts: {
    created: { action: 'balls.create', crud: 'C', event: 'ball.created' },
    read: { action: 'balls.read', crud: 'R' },
    updated: { action: 'balls.update', crud: 'U', event: 'ball.updated' },
    deleted: { action: 'balls.delete', crud: 'D', event: 'ball.deleted' },
  },
})

const RED: Ball = { id: '01a', name: 'Ball', colour: 'red' }
const BLUE: Ball = { ...RED, colour: 'blue' }
const TARGET = { type: 'ball', id: '01a', label: 'Ball' }

describe('the recorder', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  /** What one act leaves: its audit entries as written, its events as stored. */
  async function leftBy(act: (by: { audit: typeof audit }, tx: TenantTx) => Promise<void>) {
    const clinic = await core.organization()
    entries.length = 0
    await core.services.db.tenant(systemContext(clinic.id), (tx) => act({ audit }, tx))
    const events = await core.database.query(
      `select type, payload from outbox_events where organization_id = $1 and type like 'ball.%'`,
      [clinic.id],
    )
    return { entries: [...entries], events }
  }
  const entries: AuditEntry[] = []
  const audit = async (_tx: unknown, entry: AuditEntry) => void entries.push(entry)

  test('a creation lists every field, an update the changed ones, a deletion the deleted ones', async () => {
    const created = await leftBy((by, tx) => record.created(by, tx, { ...RED, colour: null }))
    assert.deepEqual(created, {
      entries: [
        {
          action: 'balls.create',
          crud: 'C',
          target: TARGET,
          changes: [{ field: 'name', before: null, after: 'Ball' }],
        },
      ],
      events: [{ type: 'ball.created', payload: { ball_id: '01a' } }],
    })
    const updated = await leftBy((by, tx) => record.updated(by, tx, RED, BLUE, { payload: { version: 2 } }))
    assert.deepEqual(updated, {
      entries: [
        {
          action: 'balls.update',
          crud: 'U',
          target: TARGET,
          changes: [{ field: 'colour', before: 'red', after: 'blue' }],
        },
      ],
      events: [{ type: 'ball.updated', payload: { ball_id: '01a', version: 2 } }],
    })
    const deleted = await leftBy((by, tx) => record.deleted(by, tx, RED))
    assert.deepEqual(deleted.entries[0]?.changes, [
      { field: 'name', before: 'Ball', after: null },
      { field: 'colour', before: 'red', after: null },
    ])
    const softly = await leftBy((by, tx) => record.deleted(by, tx, RED, { deleted_at: 'now' }))
    assert.deepEqual(softly.entries[0]?.changes, [{ field: 'deleted_at', before: null, after: 'now' }])
  })

  test('a read has an entry without changes and no event; an event can be left out', async () => {
    const read = await leftBy((by, tx) => record.read(by, tx, RED, { reason: 'asked' }))
    assert.deepEqual(read, {
      entries: [{ action: 'balls.read', crud: 'R', target: TARGET, reason: 'asked' }],
      events: [],
    })
    const quiet = await leftBy((by, tx) => record.updated(by, tx, RED, BLUE, { publish: false }))
    assert.deepEqual([quiet.entries.length, quiet.events], [1, []])
  })
})
