import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { FILMED, movementOf, readLibrary, TEMPO } from './exercises.ts'
import { angleAt, type Body, type Pose, poseOf } from './pose.ts'

// What the films draw is what the texts say. Angles are measured on the drawn points, as a camera would.

const FILMS = join(import.meta.dirname, 'films')
const MAX_FILM_BYTES = 700_000
const library = readLibrary()
const apart = (a: { x: number; y: number }, b: { x: number; y: number }) => Math.hypot(a.x - b.x, a.y - b.y)
const near = (value: number, wanted: number, by: number, what: string) =>
  assert.ok(Math.abs(value - wanted) <= by, `${what}: ${value.toFixed(1)}, not ${wanted} ± ${by}`)

const MEASURED: Readonly<Record<string, (body: Body) => number>> = {
  knee: ({ hip, knee, ankle }) => angleAt(hip, knee, ankle),
  hip: ({ shoulder, hip, knee }) => angleAt(shoulder, hip, knee),
  ankle: ({ knee, ankle, toe }) => angleAt(knee, ankle, toe),
  shoulder: ({ hip, shoulder, elbow }) => angleAt(hip, shoulder, elbow),
  elbow: ({ shoulder, elbow, hand }) => angleAt(shoulder, elbow, hand),
}

function exerciseOf(slug: string) {
  const exercise = library.get(slug)
  const filmed = FILMED.find((one) => one.slug === slug)
  if (!exercise || !filmed) throw new Error(`there is no film of ${slug}`)
  const side = filmed.laterality === 'unilateral' ? 'right' : 'both'
  const movement = movementOf(exercise, filmed, side)
  const at = (degrees: number): Pose => poseOf(movement, degrees)
  return { exercise, filmed, at, rest: at(filmed.rest), peak: at(filmed.peak) }
}

describe('the demonstration films', () => {
  for (const { slug } of FILMED) {
    test(`${slug}: the drawn joint goes through the range that the exercise counts and aims for`, () => {
      const { exercise, filmed, at } = exerciseOf(slug)
      const { joint, down, up, target } = exercise.pose
      const measure = MEASURED[joint]
      assert.ok(measure)
      for (const degrees of [filmed.rest, (filmed.rest + filmed.peak) / 2, filmed.peak])
        near(measure(at(degrees).right), degrees, 0.5, `drawn at ${degrees.toFixed(0)}°`)
      const beyond = (value: number, line: number, towards: number) => (value - line) * (towards - line) > 0
      assert.ok(beyond(filmed.rest, down, down + (down - up)), 'rest is before the beginning of a repetition')
      assert.ok(filmed.peak >= Math.min(...target) && filmed.peak <= Math.max(...target), 'the peak is in the target')
    })

    test(`${slug}: has a film, voices and captions in each language, and the film is small`, () => {
      const { languages } = JSON.parse(readFileSync(join(FILMS, slug, 'manifest.json'), 'utf8')) as Manifest
      assert.deepEqual(languages, ['en', 'ro'])
      for (const language of languages) {
        assert.ok(statSync(join(FILMS, slug, `film.${language}.mp4`)).size < MAX_FILM_BYTES)
        for (const ending of ['mp3', 'vtt'])
          assert.ok(existsSync(join(FILMS, slug, 'audio', language, `intro-vo-1.${ending}`)))
      }
    })

    test(`${slug}: a repetition takes four seconds, also in the recorded counts`, () => {
      near(
        Object.values(TEMPO).reduce((sum, seconds) => sum + seconds, 0),
        4,
        0.001,
        'the tempo',
      )
      const captions = readFileSync(join(FILMS, slug, 'audio/en/rep-left-vo-1.vtt'), 'utf8')
      const starts = [...captions.matchAll(/^00:([\d.]+) -->/gm)].map(([, seconds]) => Number(seconds))
      assert.equal(starts.length, 5)
      for (const [n, start] of starts.entries())
        if (n > 0) near(start - (starts[n - 1] ?? 0), 4, 0.01, 'between counts')
    })
  }

  test('sit to stand: sits on the chair with level thighs, leans forward, and stands up tall', () => {
    const { rest, peak, at, filmed } = exerciseOf('sit-to-stand')
    const [seat] = rest.chair
    assert.ok(seat)
    const { hip, knee, ankle } = rest.right
    near(hip.y, knee.y, 0.01, 'the hip is as high as the knee')
    near(seat[0].y - hip.y, 0.05, 0.001, 'the seat is right below the hip')
    assert.ok(seat[0].x < hip.x && hip.x < seat[1].x, 'the hip is above the seat')
    assert.ok(ankle.x < knee.x, 'the feet are behind the knees')
    near(rest.head.x, hip.x, 0.05, 'sits upright')
    near(peak.head.x, peak.right.hip.x, 0.05, 'stands tall')
    const way = Array.from({ length: 50 }, (_, n) => at(filmed.rest + ((filmed.peak - filmed.rest) * n) / 50))
    assert.ok(
      way.some(({ head, right }) => head.x + 0.065 > right.knee.x),
      'the nose comes above the knees',
    )
    for (const { right } of way) assert.ok(right.hip.y <= hip.y + 0.001, 'never sinks through the seat')
  })

  test('elbow flexion: holds a weight, from a straight arm until the hand is near the shoulder', () => {
    const { exercise, filmed, rest, peak } = exerciseOf('elbow-flexion')
    assert.match(exercise.en[2], /Hold a light weight.*hand is near the shoulder/)
    assert.equal(filmed.with, 'weight')
    assert.ok(angleAt(rest.right.shoulder, rest.right.elbow, rest.right.hand) >= 170, 'the arm is straight')
    const { shoulder, elbow, hand } = peak.right
    assert.ok(apart(hand, shoulder) < 0.65 * apart(elbow, shoulder), 'the hand is near the shoulder')
    near(elbow.x, rest.right.elbow.x, 0.001, 'the elbow stays beside the ribs')
  })

  test('hip abduction: holds a chair on the side of the standing leg, and lifts the other by 30°', () => {
    const { exercise, rest, peak } = exerciseOf('standing-hip-abduction')
    assert.match(exercise.en[2], /Hold on to a chair/)
    const fromVertical = ({ right: { hip, ankle } }: Pose) =>
      (Math.atan2(hip.x - ankle.x, ankle.y - hip.y) * 180) / Math.PI
    near(fromVertical(peak), 30, 0.1, 'the lifted leg')
    near(fromVertical(rest), 2, 0.1, 'the leg at rest')
    assert.deepEqual([peak.left.hip, peak.right.hip, peak.head], [rest.left.hip, rest.right.hip, rest.head])
    const [back] = peak.chair
    assert.ok(back)
    const [from, to] = [Math.min(back[0].x, back[1].x), Math.max(back[0].x, back[1].x)]
    const { hand } = peak.left
    near(hand.y, back[0].y, 0.001, 'the hand is on the back of the chair')
    assert.ok(from < hand.x && hand.x < to && from > peak.left.ankle.x)
  })

  test('heel raise: holds a chair, and the toes stay on the floor', () => {
    const { rest, peak } = exerciseOf('heel-raise')
    near(peak.right.toe.x, rest.right.toe.x, 0.001, 'toes')
    near(peak.right.toe.y, rest.right.toe.y, 0.001, 'toes')
    assert.ok(rest.right.heel.y - peak.right.heel.y > 0.03, 'the heels rise')
    assert.deepEqual(peak.right.hand, peak.chair[0]?.[0])
    for (const pose of [rest, peak])
      near(apart(pose.right.elbow, pose.right.hand), 0.17, 0.001, 'the arm keeps its length')
  })

  test('shoulder abduction: the hands come to the height of the shoulders', () => {
    const { peak } = exerciseOf('shoulder-abduction')
    for (const { hand, shoulder } of [peak.left, peak.right]) near(hand.y, shoulder.y, 0.005, 'the hand')
  })

  test('squat: the thighs are level at most, and the feet stay', () => {
    const { rest, peak } = exerciseOf('squat')
    assert.ok(peak.right.hip.y <= peak.right.knee.y)
    assert.deepEqual([peak.right.heel, peak.right.toe], [rest.right.heel, rest.right.toe])
  })
})

interface Manifest {
  languages: string[]
}
