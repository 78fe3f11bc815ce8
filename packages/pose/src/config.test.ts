import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { parsePoseConfig } from './config.ts'

const SQUAT = {
  engine_code: 'blazepose-33',
  landmarks: ['left_hip', 'left_knee', 'left_ankle', 'right_hip', 'right_knee', 'right_ankle'],
  primary_angle: ['left_hip', 'left_knee', 'left_ankle'],
  side: 'both',
  thresholds: { up_degrees: 110, down_degrees: 155, hysteresis_degrees: 5 },
  hold_seconds: 2,
  target_range_degrees: { min: 80, max: 110 },
  min_visibility: 0.6,
  feedback_rules: [
    { code: 'deeper', when: 'range_below', value: 60, message: { en: 'Go a little deeper.', ro: 'Coboară mai mult.' } },
  ],
  camera: { view: 'side', distance_m: 2.5, height: 'hip', text: { en: 'Camera to your side.', ro: 'Camera lateral.' } },
}

const problems = (given: unknown) => {
  const parsed = parsePoseConfig(given)
  return 'fields' in parsed ? Object.keys(parsed.fields) : []
}

describe('a pose configuration', () => {
  test('a pose configuration is read as it was written', () => {
    assert.deepEqual(parsePoseConfig(SQUAT), { config: SQUAT })
    assert.deepEqual(parsePoseConfig(JSON.parse(JSON.stringify(SQUAT))), { config: SQUAT })
  })

  test('a pose configuration needs no more than what to look at and where the thresholds are', () => {
    const { engine_code, landmarks, primary_angle } = SQUAT
    const least = { engine_code, landmarks, primary_angle, thresholds: { up_degrees: 110, down_degrees: 155 } }
    assert.deepEqual(parsePoseConfig(least), {
      config: {
        ...least,
        side: 'auto',
        thresholds: { up_degrees: 110, down_degrees: 155, hysteresis_degrees: 5 },
        hold_seconds: null,
        target_range_degrees: null,
        min_visibility: 0.5,
        feedback_rules: [],
        camera: null,
      },
    })
  })

  const MISTAKES: [what: string, change: Record<string, unknown>, ...fields: string[]][] = [
    ['another engine', { engine_code: 'movenet' }, 'engine_code'],
    ['an unknown landmark', { landmarks: ['left_toe'] }, 'landmarks'],
    ['a landmark twice', { landmarks: ['nose', 'nose'] }, 'landmarks'],
    ['an angle of points that are not among the landmarks', { landmarks: SQUAT.landmarks.slice(0, 4) }, 'landmarks'],
    ['an angle of two points', { primary_angle: ['left_hip', 'left_knee'] }, 'primary_angle'],
    ['an angle of four', { primary_angle: [...SQUAT.primary_angle, 'left_heel'] }, 'primary_angle'],
    ['an angle with a point twice', { primary_angle: ['left_hip', 'left_knee', 'left_hip'] }, 'primary_angle'],
    ['a joint that has no side', { primary_angle: ['left_hip', 'nose', 'right_hip'] }, 'primary_angle'],
    ['an unknown side', { side: 'middle' }, 'side'],
    [
      'thresholds too near to each other',
      { thresholds: { up_degrees: 100, down_degrees: 110 } },
      'thresholds.up_degrees',
    ],
    [
      'thresholds that are no angles',
      { thresholds: { up_degrees: -1, down_degrees: '90', hysteresis_degrees: 0 } },
      'thresholds.up_degrees',
      'thresholds.down_degrees',
      'thresholds.hysteresis_degrees',
    ],
    ['no thresholds', { thresholds: undefined }, 'thresholds'],
    ['a hold of no time', { hold_seconds: 0 }, 'hold_seconds'],
    ['a target upside down', { target_range_degrees: { min: 110, max: 80 } }, 'target_range_degrees.min'],
    ['a visibility that lets everything pass', { min_visibility: 0 }, 'min_visibility'],
    ['NaN', { min_visibility: Number.NaN }, 'min_visibility'],
    ['an unknown member', { treshold: 3 }, 'treshold'],
    [
      'a camera in the sky',
      { camera: { view: 'top', distance_m: 50, height: 'roof', text: { en: '' } } },
      'camera.view',
      'camera.distance_m',
      'camera.height',
      'camera.text.en',
    ],
    ['rules that are no list', { feedback_rules: {} }, 'feedback_rules'],
    ['two rules of one code', { feedback_rules: [SQUAT.feedback_rules[0], SQUAT.feedback_rules[0]] }, 'feedback_rules'],
    [
      'a rule of nothing',
      { feedback_rules: [{}] },
      'feedback_rules.0.message',
      'feedback_rules.0.code',
      'feedback_rules.0.when',
      'feedback_rules.0.value',
    ],
    [
      'a message without language or words',
      { feedback_rules: [{ ...SQUAT.feedback_rules[0], message: { english: 'Deeper', ro: '' } }] },
      'feedback_rules.0.message',
      'feedback_rules.0.message.ro',
    ],
  ]
  for (const [what, change, ...fields] of MISTAKES)
    test(`a pose configuration is refused with ${what}, by field`, () => {
      assert.deepEqual(problems({ ...SQUAT, ...change }), fields)
    })

  test('all mistakes are named at once', () => {
    const all = problems({ ...SQUAT, engine_code: 'x', side: 'y', hold_seconds: -1, more: true })
    assert.deepEqual(all.sort(), ['engine_code', 'hold_seconds', 'more', 'side'])
  })

  test('an angle of one side is enough when only that side is measured', () => {
    assert.deepEqual(problems({ ...SQUAT, side: 'left', landmarks: SQUAT.landmarks.slice(0, 3) }), [])
    assert.deepEqual(problems({ ...SQUAT, side: 'right', landmarks: SQUAT.landmarks.slice(0, 3) }), ['landmarks'])
  })

  test('anything else is refused, nothing throws', () => {
    for (const given of [null, undefined, 1, 'x', []]) assert.deepEqual(problems(given), ['config'])
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom(...Object.keys(SQUAT)), (value, key) => {
        parsePoseConfig(value)
        parsePoseConfig({ ...SQUAT, [key]: value })
      }),
    )
  })
})
