import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { MediaEvent, MediaEventType } from '@tendon/contracts'
import * as fc from 'fast-check'
import { cover, coveredSeconds, type Stretch } from './coverage.ts'
import { createEventParser } from './event.ts'
import { reduceMedia } from './reducer.ts'

const ZERO = Date.UTC(2026, 10, 15, 9)
const SESSION = '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17'

const event = (
  type: MediaEventType,
  seconds: number,
  data: Record<string, unknown> = {},
  media_id = 'squat',
): MediaEvent => ({
  event: type,
  session_id: SESSION,
  media_id,
  media_type: 'video',
  timestamp: new Date(ZERO + Math.round(seconds * 1000)).toISOString(),
  data,
})
const at = (position_seconds: number, more: object = {}) => ({ position_seconds, ...more })

const parser = createEventParser()
const parse = (body: unknown) => parser.event(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))

describe('media events', () => {
  test('every type of the specification is accepted, with its data or without', () => {
    const types: MediaEventType[] = [
      'session_start',
      'video_played',
      'video_paused',
      'buffering_start',
      'buffering_end',
      'quality_change',
      'watch_pct_25',
      'watch_pct_50',
      'watch_pct_75',
      'watch_pct_95',
      'page_visible',
      'page_hidden',
      'dropped_frames',
      'session_end',
    ]
    for (const type of types) {
      assert.ok('value' in parse(event(type, 0)), type)
      const { data: _, ...bare } = event(type, 0)
      assert.deepEqual(parse(bare), { value: bare })
    }
  })

  test('all members of session_start are kept; unknown ones are accepted and not kept', () => {
    const data = {
      total_duration_seconds: 63.5,
      ttfb_ms: 80,
      video_load_time_ms: 640,
      cdn_response_time_ms: 31,
      connection_type: 'wifi',
      effective_bandwidth: 8.2,
      rtt_ms: 50,
      initial_bitrate: 2_400_000,
      initial_resolution: '1280x720',
    }
    const known = event('session_start', 0, data)
    const body = { ...known, surname: 'x', data: { ...data, heart_rate: 120 } }
    assert.deepEqual(parse(body), { value: known })
  })

  test('an unknown type is distinguished from a body that does not match', () => {
    const good = event('video_played', 0, at(1))
    assert.deepEqual(parse({ ...good, event: 'video_exploded' }), { problem: 'unknown_event' })
    assert.deepEqual(parse({ ...good, event: '__proto__' }), { problem: 'unknown_event' })
    const bad: unknown[] = [
      '',
      '{',
      'null',
      '[]',
      '"x"',
      '{"a":'.repeat(200),
      {},
      { ...good, event: 1 },
      { ...good, session_id: 'x' },
      { ...good, session_id: `urn:uuid:${SESSION}` },
      { ...good, session_id: undefined },
      { ...good, media_id: '' },
      { ...good, media_id: 7 },
      { ...good, media_id: 'a\0b' },
      { ...good, media_id: 'x'.repeat(201) },
      { ...good, media_type: undefined },
      { ...good, timestamp: '2026-11-15T09:00:00Z' },
      { ...good, timestamp: '2026-11-15T09:00:00.000+02:00' },
      { ...good, timestamp: '2026-02-31T09:00:00.000Z' },
      { ...good, timestamp: ZERO },
      { ...good, data: [] },
      { ...good, data: { position_seconds: 'x' } },
      { ...good, data: { position_seconds: -1 } },
      JSON.stringify({ ...good, data: { position_seconds: 1 } }).replace(':1}', ':1e999}'),
      `{"__proto__":{},${JSON.stringify(good).slice(1)}`,
      Buffer.from([0xff, 0xfe]).toString('latin1'),
    ]
    for (const body of bad) assert.deepEqual(parse(body), { problem: 'invalid_event' }, JSON.stringify(body))
  })

  test('a view of the library needs a media id and a time', () => {
    const view = (body: unknown) => parser.view(Buffer.from(JSON.stringify(body)))
    const viewed_at = '2026-11-15T09:00:00.000Z'
    assert.deepEqual(view({ media_id: 'a', viewed_at, more: 1 }), { value: { media_id: 'a', viewed_at } })
    assert.deepEqual(view({ media_id: 'a', viewed_at: '2026-11-15T11:00:00+02:00', duration_seconds: 3 }), {
      value: { media_id: 'a', viewed_at, duration_seconds: 3 },
    })
    for (const body of [{}, { media_id: 'a' }, { media_id: 'a', viewed_at: 'now' }, { viewed_at }, [], null])
      assert.deepEqual(view(body), { problem: 'invalid_event' })
  })
})

describe('media metrics', () => {
  test('a session with every kind of event', () => {
    const { run, items, bufferings, spans } = reduceMedia([
      event('session_start', 0, { video_load_time_ms: 640, total_duration_seconds: 100 }),
      event('buffering_start', 0.1, at(0, { reason: 'initial' })),
      event('buffering_end', 0.7, at(0, { duration_ms: 600 })),
      event('video_played', 1, at(0)),
      event('buffering_start', 11, at(10, { reason: 'network' })),
      event('buffering_end', 13, at(10, { duration_ms: 2_000 })),
      event('watch_pct_25', 28, at(25)),
      event('quality_change', 30, { previous_quality: '720p', new_quality: '480p', bitrate: 1, automatic: true }),
      event('video_paused', 33, at(30)),
      event('video_played', 40, at(20)), // 10 seconds again
      event('dropped_frames', 45, { dropped: 3, total: 150, window_ms: 5_000 }),
      event('page_hidden', 50, at(30)),
      event('page_visible', 57, at(37)),
      event('buffering_start', 60, at(40, { reason: 'seek' })),
      event('buffering_end', 61, at(60, { duration_ms: 1_000 })),
      event('session_end', 71, at(70, { reason: 'completed', watched_seconds: 60 })),
    ])
    assert.deepEqual(run, {
      started_at: ZERO,
      ended_at: ZERO + 71_000,
      startup_ms: 640,
      rebuffer_count: 1,
      rebuffer_ms: 2_000,
      rebuffer_pct: 3.226, // 2 of 62 seconds
      watch_seconds: 60, // 10 + 20 + 20 + 10
      unique_seconds: 50, // 0 to 40 and 60 to 70
      quality_switches: 1,
      dropped_frames: 3,
      total_frames: 150,
      dropped_frame_pct: 2,
      hidden_ms: 7_000,
      end_reason: 'completed',
      events: 16,
    })
    assert.equal(items[0]?.watched_pct, 25)
    assert.deepEqual(
      bufferings.map(({ reason, duration_ms, position_seconds }) => [reason, duration_ms, position_seconds]),
      [
        ['initial', 600, 0],
        ['network', 2_000, 10],
        ['seek', 1_000, 40],
      ],
    )
    assert.deepEqual(spans, [{ media_id: 'squat', from_ms: 0, to_ms: 71_000 }])
  })

  test('each item ends with its own last event; frames belong to the item that was current', () => {
    const { items, spans, run } = reduceMedia([
      event('session_start', 5, {}, 'squat'),
      event('video_played', 6, at(0), 'squat'),
      event('video_paused', 16, at(10), 'squat'),
      event('video_played', 20, at(0), 'lunge'),
      event('video_paused', 50, at(30), 'lunge'),
      event('video_played', 60, at(10), 'squat'),
      event('session_end', 65, at(15), 'squat'),
    ])
    assert.deepEqual(
      items.map(({ media_id, started_at, ended_at, watch_seconds }) => [
        media_id,
        (started_at - ZERO) / 1000,
        (ended_at - ZERO) / 1000,
        watch_seconds,
      ]),
      [
        ['squat', 5, 65, 15],
        ['lunge', 20, 50, 30],
      ],
    )
    assert.equal(run?.watch_seconds, 45)
    assert.deepEqual(spans, [
      { media_id: 'squat', from_ms: 0, to_ms: 15_000 },
      { media_id: 'lunge', from_ms: 15_000, to_ms: 55_000 },
      { media_id: 'squat', from_ms: 55_000, to_ms: 60_000 },
    ])
  })

  test('a late event of a page that was closed does not make its item current again', () => {
    const { spans } = reduceMedia([
      event('session_start', 0, {}, 'squat'),
      event('session_start', 10, {}, 'between'),
      event('page_hidden', 11, {}, 'squat'),
      event('session_start', 600, {}, 'squat'),
      event('session_end', 630, {}, 'between'),
    ])
    assert.deepEqual(spans.slice(0, 3), [
      { media_id: 'squat', from_ms: 0, to_ms: 10_000 },
      { media_id: 'between', from_ms: 10_000, to_ms: 600_000 },
      { media_id: 'squat', from_ms: 600_000, to_ms: 630_000 },
    ])
  })

  test('without session_start nothing is current; without session_end the last item stays current', () => {
    assert.deepEqual(reduceMedia([event('video_played', 0, at(0))]).spans, [])
    assert.deepEqual(reduceMedia([event('video_played', 0), event('session_start', 2)]).spans, [
      { media_id: 'squat', from_ms: 0, to_ms: null },
    ])
  })

  test('a browser that disappeared counts to its last event, and open states end there', () => {
    const { run, bufferings } = reduceMedia([
      event('video_played', 0, at(0)),
      event('page_hidden', 10, at(10)),
      event('buffering_start', 12, at(12)),
      event('dropped_frames', 20, { dropped: 1, total: 10, window_ms: 1 }),
    ])
    assert.equal(run?.watch_seconds, 12)
    assert.equal(run?.hidden_ms, 10_000)
    assert.equal(run?.end_reason, null)
    assert.deepEqual(bufferings[0]?.duration_ms, 8_000)
  })

  test('hidden time belongs to the page and is split over the items that were current', () => {
    const { run, items } = reduceMedia([
      event('session_start', 0),
      event('page_hidden', 10),
      event('video_played', 20, at(0), 'lunge'),
      event('page_visible', 70, at(50), 'lunge'),
      event('session_end', 80, at(60), 'lunge'),
    ])
    assert.equal(run?.hidden_ms, 60_000)
    assert.deepEqual(
      items.map(({ media_id, hidden_ms }) => [media_id, hidden_ms]),
      [
        ['squat', 10_000],
        ['lunge', 50_000],
      ],
    )
  })

  test('a page that stayed hidden does not affect the page opened next', () => {
    const next = (one: MediaEvent) => ({ ...one, session_id: SESSION.replace('019', '018') })
    const { run } = reduceMedia([
      event('session_start', 0),
      event('page_hidden', 10),
      event('video_paused', 15),
      next(event('session_start', 100)),
      next(event('session_end', 200)),
    ])
    assert.equal(run?.hidden_ms, 5_000)
  })

  test('a machine that slept for hours did not watch for hours', () => {
    const { run } = reduceMedia([event('video_played', 0, at(0)), event('video_paused', 10_000, at(8))])
    assert.equal(run?.watch_seconds, 33)
    assert.equal(run?.unique_seconds, 8)
  })

  test('without events there are no metrics', () => {
    assert.deepEqual(reduceMedia([]), { run: undefined, items: [], bufferings: [], spans: [] })
  })

  const types: MediaEventType[] = [
    'session_start',
    'video_played',
    'video_paused',
    'buffering_start',
    'buffering_end',
    'page_hidden',
    'page_visible',
    'watch_pct_50',
    'dropped_frames',
    'session_end',
  ]
  const anyEvents = fc
    .uniqueArray(
      fc.record({
        type: fc.constantFrom(...types),
        seconds: fc.integer({ min: 0, max: 5_000 }),
        position: fc.option(fc.nat(600), { nil: undefined }),
        item: fc.constantFrom('squat', 'lunge'),
        session: fc.constantFrom(SESSION, SESSION.replace('019', '018')),
      }),
      { selector: ({ seconds }) => seconds, maxLength: 60 },
    )
    .map((all) =>
      all.map(({ type, seconds, position, item, session }) => {
        const data = position === undefined ? {} : { position_seconds: position, dropped: 2, total: 7 }
        return { ...event(type, seconds, data, item), session_id: session }
      }),
    )
  const sorted = (summary: ReturnType<typeof reduceMedia>) => ({
    ...summary,
    items: summary.items.toSorted((a, b) => a.media_id.localeCompare(b.media_id)),
  })

  test('the order of arrival and repeats change nothing', () => {
    fc.assert(
      fc.property(anyEvents, fc.infiniteStream(fc.nat()), (events, order) => {
        const shuffled = [...events, ...events]
          .map((one) => ({ one, by: order.next().value }))
          .sort((a, b) => a.by - b.by)
          .map(({ one }) => one)
        assert.deepEqual(sorted(reduceMedia(shuffled)), sorted(reduceMedia(events)))
      }),
    )
  })

  test('the same time and type in another session is another event', () => {
    const one = event('quality_change', 1)
    const other = { ...one, session_id: SESSION.replace('019', '018') }
    assert.equal(reduceMedia([one, other, one]).run?.quality_switches, 2)
  })

  test('the figures are plausible for any input', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const { run, items, bufferings, spans } = reduceMedia(events)
        if (!run) return assert.equal(events.length, 0)
        assert.equal(run.events, events.length)
        for (const metrics of [run, ...items]) {
          const { rebuffer_pct, watch_seconds, unique_seconds, hidden_ms, started_at, ended_at } = metrics
          const lasted = (ended_at - started_at) / 1000
          assert.ok(lasted >= 0 && hidden_ms >= 0)
          assert.ok(watch_seconds >= 0 && unique_seconds <= watch_seconds * 2 + events.length)
          assert.ok(rebuffer_pct === null || (rebuffer_pct >= 0 && rebuffer_pct <= 100))
        }
        for (const item of items) {
          const own = events.filter(({ media_id }) => media_id === item.media_id)
          assert.equal(item.ended_at, Math.max(...own.map(({ timestamp }) => Date.parse(timestamp))))
          assert.ok(item.watch_seconds <= (item.ended_at - item.started_at) / 1000)
        }
        assert.ok(Math.abs(items.reduce((sum, item) => sum + item.watch_seconds, 0) - run.watch_seconds) < 0.01)
        assert.ok(bufferings.every(({ duration_ms }) => duration_ms >= 0))
        for (const [index, span] of spans.entries()) assert.equal(span.to_ms, spans[index + 1]?.from_ms ?? span.to_ms)
      }),
    )
  })

  test('hidden time is that of the pages: splitting it over items does not change it', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const { run, items } = reduceMedia(events)
        const hidden = run?.hidden_ms ?? 0
        assert.ok(items.every(({ hidden_ms }) => hidden_ms >= 0))
        assert.equal(
          items.reduce((sum, { hidden_ms }) => sum + hidden_ms, 0),
          hidden,
        )
        assert.equal(reduceMedia(events.map((one) => ({ ...one, media_id: 'squat' }))).run?.hidden_ms ?? 0, hidden)
        const pages = Map.groupBy(events, ({ session_id }) => session_id)
        const ofPages = [...pages.values()].map((page) => reduceMedia(page).run)
        for (const page of ofPages) assert.ok(page && page.hidden_ms <= page.ended_at - page.started_at)
        assert.equal(
          ofPages.reduce((sum, page) => sum + (page?.hidden_ms ?? 0), 0),
          hidden,
        )
      }),
    )
  })

  test('coverage is the union of the ranges', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(60), fc.nat(60)), { maxLength: 20 }), (pairs) => {
        const stretches: Stretch[] = []
        const seconds = new Set<number>()
        for (const [from, to] of pairs) {
          cover(stretches, from, to)
          for (let second = from; second < to; second += 1) seconds.add(second)
        }
        assert.equal(coveredSeconds(stretches), seconds.size)
        for (const [index, [, to]] of stretches.entries())
          assert.ok(to < (stretches[index + 1]?.[0] ?? Number.POSITIVE_INFINITY))
      }),
    )
  })
})
