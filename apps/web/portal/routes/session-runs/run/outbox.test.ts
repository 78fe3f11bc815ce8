import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { MediaEvent } from '@tendon/sdk'
import { createOutbox, type Entry, type OutboxStore, type Sent } from './outbox.ts'

function memoryStore(): OutboxStore & { entries: Map<number, Entry> } {
  const entries = new Map<number, Entry>()
  let next = 1
  return {
    entries,
    async add(entry) {
      entries.set(next, { ...entry, id: next } as Entry)
      next += 1
      return next - 1
    },
    all: async (person) => [...entries.values()].filter((entry) => entry.person === person),
    async remove(id) {
      entries.delete(id)
    },
  }
}

const ended = (run: string) =>
  ({ kind: 'end', organization: 'clinic', run, body: { termination: 'ended_naturally' } }) as const
const alone = (work: () => Promise<void>) => work()

describe('the outbox', () => {
  test('without a connection nothing is lost; after reconnecting everything is sent once, in order', async () => {
    const store = memoryStore()
    const sent: string[] = []
    const timers: (() => void)[] = []
    let online = false
    const send = async ({ run }: Entry): Promise<Sent> => {
      if (!online) return { wait_ms: null }
      sent.push(run)
      return 'sent'
    }
    const outbox = createOutbox({ person: 'a', store, send, alone, later: (run) => (timers.push(run), () => {}) })
    for (const run of ['1', '2', '3']) await outbox.add(ended(run))
    await outbox.flush()
    assert.deepEqual([sent, outbox.waiting(), store.entries.size], [[], 3, 3])
    online = true
    timers.at(-1)?.()
    await outbox.flush()
    assert.deepEqual([sent, outbox.waiting(), store.entries.size], [['1', '2', '3'], 0, 0])
  })

  test('a report counts as waiting while it is stored, and while those before it are sent', async () => {
    const store = memoryStore()
    const counts: number[] = []
    const send = async ({ run }: Entry): Promise<Sent> => {
      if (run === '1') await outbox.add(ended('2'))
      return 'sent'
    }
    const outbox = createOutbox({ person: 'a', store, send, alone })
    outbox.subscribe(() => void counts.push(outbox.waiting()))
    const adding = outbox.add(ended('1'))
    assert.equal(outbox.waiting(), 1)
    await adding
    while (store.entries.size > 0) await outbox.flush()
    await outbox.flush()
    assert.deepEqual([counts.indexOf(0), outbox.waiting()], [counts.length - 1, 0], counts.join())
  })

  test('while telemetry is unreachable, events of the patient are sent and the end waits', async () => {
    const store = memoryStore()
    const sent: string[] = []
    let reachable = false
    const send = async ({ kind }: Entry): Promise<Sent> => {
      if (kind === 'media' && !reachable) return { wait_ms: null }
      sent.push(kind)
      return 'sent'
    }
    const outbox = createOutbox({ person: 'a', store, send, alone, later: () => () => {} })
    const of = { organization: 'clinic', run: '1' }
    await outbox.add({ ...of, kind: 'media', body: {} as MediaEvent })
    await outbox.add({ ...of, kind: 'pain', body: { severity: 3, action: 'continue' } })
    await outbox.add(ended('1'))
    await outbox.flush()
    assert.deepEqual(sent, ['pain'])
    reachable = true
    await outbox.flush()
    assert.deepEqual(sent, ['pain', 'media', 'end'])
  })

  test('an entry that the server refuses does not stop those after it', async () => {
    const store = memoryStore()
    const sent: string[] = []
    const send = async ({ run }: Entry): Promise<Sent> => (run === '1' ? 'gone' : (sent.push(run), 'sent'))
    const outbox = createOutbox({ person: 'a', store, send, alone })
    await outbox.add(ended('1'))
    await outbox.add(ended('2'))
    await outbox.flush()
    assert.deepEqual([sent, store.entries.size], [['2'], 0])
  })

  test('entries of another person are neither sent nor lost', async () => {
    const store = memoryStore()
    await createOutbox({
      person: 'a',
      store,
      alone,
      send: async () => ({ wait_ms: 60_000 }),
      later: () => () => {},
    }).add(ended('1'))
    const other = createOutbox({ person: 'b', store, alone, send: async () => assert.fail('sent for another person') })
    await other.flush()
    assert.equal(store.entries.size, 1)
  })

  test('entries added while the outbox sends are sent too', async () => {
    const store = memoryStore()
    const sent: string[] = []
    const send = async ({ run }: Entry): Promise<Sent> => {
      sent.push(run)
      if (run === '1') await outbox.add(ended('2'))
      return 'sent'
    }
    const outbox = createOutbox({ person: 'a', store, send, alone })
    await outbox.add(ended('1'))
    await outbox.flush()
    assert.deepEqual(sent, ['1', '2'])
  })
})
