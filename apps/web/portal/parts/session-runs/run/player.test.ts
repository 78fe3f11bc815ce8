import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Seen } from '../camera/messages.ts'
import { createPlayer } from './player.ts'
import { BETWEEN } from './player-deps.ts'
import { countOf, type Ended, type RunExercise } from './player-state.ts'
import type { Progress } from './progress.ts'

const exercise = (id: string, changed: Partial<RunExercise> = {}) =>
  ({
    id,
    sets: 2,
    reps: 3,
    hold_seconds: null,
    rest_seconds: 20,
    kind: 'reps_based',
    pose_config: null,
    ...changed,
    video_duration_seconds: null,
  }) as RunExercise

const seen = (repetitions: number) => ({ repetitions }) as Seen

interface Earlier extends Partial<Ended> {
  progress?: Progress
  /** Whether the camera counts; asked when a set starts or resumes. */
  isWatched?: () => boolean
}

function play(
  exercises = [exercise('a'), exercise('b')],
  { progress, isWatched = () => true, ...ended }: Earlier = {},
) {
  let time = 0
  let watching = false
  let kept: Progress | null | undefined
  const log: string[] = []
  const write = (what: string) => log.push(`${time} ${what}`)
  const player = createPlayer({
    exercises,
    ended: { ended_exercises: [], worst_pain: null, active_seconds: 0, ...ended },
    progress: progress ?? null,
    keep(next) {
      kept = next
    },
    now: () => time,
    reports: {
      exercise: (type, id, _at, data) =>
        write(`${type} ${id}${data?.repetitions_completed === undefined ? '' : ` ${data.repetitions_completed}`}`),
      pain: ({ severity, action, session_exercise_id }, at) =>
        write(`pain ${severity} ${action} ${session_exercise_id} at ${at}`),
      media: (event, id) => write(`${event} ${id === BETWEEN ? '-' : id}`),
      end: (termination) => write(termination),
    },
    counter: {
      enter({ id }) {
        if (!isWatched()) return false
        write(watching ? 'watch resume' : `watch ${id}`)
        const begins = !watching
        watching = true
        return begins
      },
      pause: () => watching && write('watch pause'),
      end() {
        if (watching) write('watch end')
        watching = false
      },
    },
    say: () => {},
  })
  const at = (now: number, act: () => void) => {
    time = now
    act()
  }
  const taken = () => log.splice(0)
  return { player, at, taken, kept: () => kept }
}

describe('a session in the player', () => {
  test('the camera counts the repetitions of sets; rests follow', () => {
    const { player, at, taken } = play([exercise('a')])
    at(1, player.start)
    at(2, player.ready)
    at(10, player.beginSet)
    assert.deepEqual(taken(), ['10 started a', '10 session_start a', '10 watch a'])
    at(20, () => player.see(seen(2)))
    assert.deepEqual([player.getState().reps, player.getState().phase], [2, 'work'])
    at(30, () => player.see(seen(3)))
    assert.deepEqual([player.getState().phase, taken()], ['rest', ['30 session_start -', '30 watch pause']])
    at(40, player.ready)
    at(50, player.beginSet)
    assert.deepEqual([player.getState().set, taken()], [2, ['50 session_start a', '50 watch resume']])
    at(60, () => player.see(seen(6)))
    assert.deepEqual(taken(), [
      '60 session_start -',
      '60 watch pause',
      '60 completed a 6',
      '60 watch end',
      '60 session_end -',
      '60 ended_naturally',
    ])
    assert.equal(player.getState().phase, 'done')
  })

  test('a resumed session starts with the first unfinished exercise', () => {
    const { player, at } = play([exercise('a'), exercise('b'), exercise('c')], {
      ended_exercises: [
        { id: 'a', outcome: 'completed', repetitions: 6 },
        { id: 'c', outcome: 'skipped', repetitions: null },
      ],
      worst_pain: 4,
      active_seconds: 40,
    })
    at(1, player.start)
    assert.equal(player.current().id, 'b')
    const { outcomes, repetitions, worst_pain, active_seconds } = player.getState()
    assert.deepEqual(outcomes, { a: 'completed', c: 'skipped' })
    assert.deepEqual([countOf(outcomes, 'completed'), countOf(outcomes, 'skipped')], [1, 1])
    assert.deepEqual([repetitions, worst_pain, active_seconds], [{ a: 6 }, 4, 40])
    at(2, player.hurts)
    at(3, () => player.reportPain({ severity: 2, action: 'continue' }))
    assert.equal(player.getState().worst_pain, 4)
  })

  test('a session that ends during an exercise reports what was done of it, as abandoned', () => {
    const { player, at, taken } = play()
    at(1_000, player.start)
    at(2_000, player.ready)
    at(10_000, player.beginSet)
    at(40_000, () => player.see(seen(3)))
    assert.equal(player.getState().phase, 'rest')
    taken()
    at(60_000, player.stop)
    assert.deepEqual(taken(), ['60000 abandoned a 3', '60000 watch end', '60000 session_end -', '60000 ended_explicit'])
    const { outcomes, repetitions, active_seconds } = player.getState()
    assert.deepEqual([outcomes, repetitions, active_seconds], [{ a: 'abandoned' }, { a: 3 }, 30])
  })

  test('a session that ends before an exercise starts abandons nothing itself', () => {
    const { player, at, taken } = play()
    at(1, player.start)
    at(2, player.stop)
    assert.deepEqual(taken(), ['2 session_end -', '2 ended_explicit'])
    assert.deepEqual(player.getState().outcomes, {})
  })

  test('rests, pauses and the time between exercises are not time of exercise', () => {
    const { player, at } = play([exercise('a'), exercise('b')])
    at(0, player.start)
    at(5_000, player.ready)
    at(10_000, player.beginSet)
    at(20_000, player.pause)
    at(80_000, player.resume)
    at(90_000, player.setDone)
    at(150_000, player.ready)
    at(153_000, player.beginSet)
    at(163_000, player.setDone)
    assert.equal(player.getState().active_seconds, 30)
    at(200_000, player.ready)
    at(203_000, player.beginSet)
    at(213_000, player.skip)
    assert.equal(player.getState().active_seconds, 40)
  })

  test('pain is reported with the time of the press, and continuing resumes the set', () => {
    const { player, at, taken } = play()
    at(1, player.start)
    at(2, player.ready)
    at(10, player.beginSet)
    taken()
    at(25, player.hurts)
    assert.deepEqual(taken(), ['25 video_paused a', '25 paused_for_pain a', '25 session_start -', '25 watch pause'])
    at(90, () => player.reportPain({ severity: 4, action: 'continue' }))
    assert.deepEqual(taken(), ['90 pain 4 continue a at 25', '90 session_start a', '90 watch resume'])
    assert.deepEqual([player.getState().phase, player.getState().paused], ['work', false])
  })

  test('after pain the patient can skip the exercise or end the session; the pain is reported once', () => {
    const { player, at, taken } = play()
    at(1, player.start)
    at(2, player.ready)
    at(10, player.beginSet)
    at(20, player.hurts)
    taken()
    at(30, () => player.reportPain({ severity: 6, action: 'skip_exercise' }))
    assert.deepEqual(taken(), ['30 skipped a 0', '30 watch end', '30 pain 6 skip_exercise a at 20'])
    assert.deepEqual([player.current().id, player.getState().phase, player.getState().paused], ['b', 'prepare', false])
    at(40, player.hurts)
    at(50, () => player.reportPain({ severity: 9, action: 'end_session' }))
    assert.deepEqual(taken(), ['50 session_end -', '50 pain 9 end_session b at 40'])
    assert.equal(player.getState().phase, 'done')
  })

  test('a pause is not part of the exercise, and frames during it are ignored', () => {
    const { player, at, taken } = play()
    at(1, player.start)
    at(2, player.ready)
    at(10, player.beginSet)
    taken()
    at(20, player.pause)
    at(25, () => player.see(seen(2)))
    at(90, player.resume)
    assert.deepEqual(taken(), [
      '20 video_paused a',
      '20 session_start -',
      '20 watch pause',
      '90 session_start a',
      '90 watch resume',
    ])
    assert.equal(player.getState().reps, 0)
  })

  test('without a camera the patient counts, and may end a set or skip an exercise', () => {
    const { player, at, taken } = play([exercise('a', { sets: 1 }), exercise('b')])
    at(1, player.start)
    at(2, player.ready)
    at(10, player.beginSet)
    at(11, player.tap)
    at(12, player.setDone)
    assert.ok(taken().includes('12 completed a 1'))
    at(13, player.skip)
    assert.deepEqual(taken(), ['13 skipped b', '13 session_end -', '13 ended_naturally'])
  })

  test('a page that opens later goes on in the same set, with its repetitions and its time', () => {
    const before = play()
    before.at(0, before.player.start)
    before.at(1_000, before.player.ready)
    before.at(4_000, before.player.beginSet)
    before.at(14_000, () => before.player.see(seen(3)))
    before.at(20_000, before.player.ready)
    before.at(30_000, before.player.beginSet)
    before.at(33_000, () => before.player.see(seen(5)))
    before.at(34_000, before.player.tick)
    const progress = before.kept() ?? undefined
    assert.ok(progress)

    const { player, at, taken } = play(undefined, { progress })
    assert.deepEqual(taken(), ['0 session_start -'])
    at(3_600_000, player.start)
    const { set, reps, phase } = player.getState()
    assert.deepEqual([set, reps, phase], [2, 2, 'prepare'])
    at(3_600_010, player.ready)
    at(3_603_010, player.beginSet)
    assert.equal(player.getState().reps, 2)
    assert.deepEqual(taken(), ['3603010 session_start a', '3603010 watch a'])
    at(3_605_010, () => player.see(seen(1)))
    assert.deepEqual(taken(), [
      '3605010 session_start -',
      '3605010 watch pause',
      '3605010 completed a 6',
      '3605010 watch end',
    ])
    assert.equal(player.getState().active_seconds, 16)
  })

  test('ending the session after a reload, before the exercise is entered again, reports what was done of it', () => {
    const progress = {
      id: 'a',
      sets_done: 1,
      repetitions: 4,
      tapped: 0,
      in_finished_sets: 3,
      work_ms: 9_000,
      running_at_ms: null,
    }
    const { player, at, taken, kept } = play(undefined, { progress })
    taken()
    at(5_000, player.stop)
    assert.ok(taken().includes('5000 abandoned a 4'))
    assert.equal(kept(), null)
  })

  test('the exercise of a closed page ends when that page was last seen, not when the next one opens', () => {
    const progress = {
      id: 'a',
      sets_done: 0,
      repetitions: 1,
      tapped: 1,
      in_finished_sets: 0,
      work_ms: 9_000,
      running_at_ms: 12_000,
    }
    const media: [string, number][] = []
    createPlayer({
      exercises: [exercise('a')],
      ended: { ended_exercises: [], worst_pain: null, active_seconds: 0 },
      progress,
      keep: () => {},
      now: () => 90_000,
      reports: { exercise() {}, pain() {}, end() {}, media: (_event, id, at_ms) => media.push([id, at_ms]) },
      counter: { enter: () => false, pause() {}, end() {} },
      say: () => {},
    })
    assert.deepEqual(media, [[BETWEEN, 12_000]])
  })

  test('a camera that is ready during an exercise counts from the next set, after what the patient counted', () => {
    let isWatched = false
    const { player, at, kept } = play([exercise('a')], { isWatched: () => isWatched })
    at(1, player.start)
    at(2, player.ready)
    at(10, player.beginSet)
    at(11, player.tap)
    isWatched = true
    at(12, player.tap)
    at(13, player.tap)
    assert.equal(player.getState().phase, 'rest')
    at(20, player.ready)
    at(30, player.beginSet)
    at(31, () => player.see(seen(2)))
    assert.equal(player.getState().reps, 2)
    assert.deepEqual([kept()?.repetitions, kept()?.tapped], [5, 3])
    at(32, () => player.see(seen(3)))
    assert.deepEqual(player.getState().repetitions, { a: 6 })
  })

  test('the camera goes on after what the patient counted while its picture stood still', () => {
    const { player, at, kept } = play([exercise('a', { reps: 5 })])
    at(1, player.start)
    at(2, player.ready)
    at(10, player.beginSet)
    at(11, () => player.see(seen(2)))
    at(12, player.tap)
    at(13, () => player.see(seen(2)))
    assert.equal(player.getState().reps, 3)
    at(14, () => player.see(seen(3)))
    assert.deepEqual([player.getState().reps, kept()?.tapped], [4, 1])
  })
})
