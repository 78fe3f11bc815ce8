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
    async replace(entry) {
      entries.set(entry.id, entry)
    },
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

  test('feedback waits for the reports before it, and for telemetry, because it ends the run', async () => {
    const store = memoryStore()
    const sent: string[] = []
    const unreachable = new Set(['media', 'exercise'])
    const send = async ({ kind }: Entry): Promise<Sent> => {
      if (unreachable.has(kind)) return { wait_ms: null }
      sent.push(kind)
      return 'sent'
    }
    const outbox = createOutbox({ person: 'a', store, send, alone, later: () => () => {} })
    const of = { organization: 'clinic', run: '1' }
    const body = { client_event_id: 'c', session_exercise_id: 'e', type: 'completed' } as const
    await outbox.add({ ...of, kind: 'media', body: {} as MediaEvent })
    await outbox.add({ ...of, kind: 'exercise', body })
    await outbox.add({ ...of, kind: 'feedback', body: { perceived_exertion: 4, pain: 0 } })
    for (const [reachable, expected] of [
      ['nothing', []],
      ['exercise', ['exercise']],
      ['media', ['exercise', 'media', 'feedback']],
    ] as const) {
      unreachable.delete(reachable)
      await outbox.flush()
      assert.deepEqual(sent, expected)
    }
  })

  test('what the server refuses is kept and named until the patient has read it, and stops nothing after it', async () => {
    const store = memoryStore()
    const sent: string[] = []
    const send = async ({ run }: Entry): Promise<Sent> => (sent.push(run), run === '1' ? 'gone' : 'sent')
    const open = () => createOutbox({ person: 'a', store, send, alone })
    const outbox = open()
    await outbox.add(ended('1'))
    await outbox.add(ended('2'))
    await outbox.flush()
    assert.deepEqual([sent, outbox.waiting()], [['1', '2'], 0])
    const later = open()
    await later.flush()
    assert.deepEqual(
      [sent, later.waiting(), later.refused().map(({ run }) => run)],
      [['1', '2'], 0, ['1']],
      'not sent again',
    )
    await later.dismiss(later.refused())
    assert.deepEqual([later.refused(), store.entries.size], [[], 0])
  })

  test('a report that waited for more than seven days is not sent, and is named too; media events are dropped', async () => {
    const store = memoryStore()
    let now = 0
    const send = async (): Promise<Sent> => ({ wait_ms: null })
    const outbox = createOutbox({ person: 'a', store, send, alone, now: () => now, later: () => () => {} })
    await outbox.add({ kind: 'media', organization: 'clinic', run: '1', body: {} as MediaEvent })
    await outbox.add(ended('1'))
    await outbox.flush()
    now = 8 * 24 * 3_600_000
    await outbox.flush()
    assert.deepEqual([outbox.waiting(), outbox.refused().map(({ kind }) => kind), store.entries.size], [0, ['end'], 1])
  })

  test('what is known of the store counts before it is read', () => {
    const store = memoryStore()
    const known = [1, 2].map((id) => ({ ...ended('1'), id, person: 'a', added: 0 }))
    const all: Entry[] = [...known, { ...ended('2'), id: 3, person: 'a', added: 0, refused: true }]
    const outbox = createOutbox({ person: 'a', store, alone, known: all, send: async () => 'sent' })
    assert.deepEqual([outbox.waiting(), outbox.refused().length], [2, 1])
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
