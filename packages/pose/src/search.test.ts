import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { soakRuns, soakSeed } from '@tendon/testing'
import * as fc from 'fast-check'
import { SURE_CONFIDENCE } from './confidence.ts'
import { type Answer, answerTo, type Person, people } from './people.testing.ts'

const RUNS = 60

const missOf = ({ metrics: { repetitions }, least, most }: Answer): number =>
  repetitions === null ? 0 : Math.max(0, least - repetitions, repetitions - most)

describe('a search for wrong numbers', () => {
  test('no count is sure and wrong, whatever the view, depth, noise, speed and other people in view', (t) => {
    let [sure, measured] = [0, 0]
    let worst: { person: Person; answer: Answer } | undefined
    for (const person of fc.sample(people, { numRuns: soakRuns(RUNS), seed: soakSeed() })) {
      const answer = answerTo(person)
      if (answer.metrics.measured) measured += 1
      if (answer.metrics.confidence >= SURE_CONFIDENCE && answer.metrics.measured) sure += 1
      if (missOf(answer) === 0) continue
      if (!worst || answer.metrics.confidence > worst.answer.metrics.confidence) worst = { person, answer }
    }
    if (worst) {
      const { metrics, least, most } = worst.answer
      const told = `${metrics.repetitions} for ${least} to ${most}, confidence ${metrics.confidence}`
      t.diagnostic(`the wrong count of the highest confidence: ${told}: ${JSON.stringify(worst.person)}`)
      assert.ok(metrics.confidence < SURE_CONFIDENCE, told)
    }
    t.diagnostic(`${measured} measured, ${sure} sure`)
    assert.ok(sure > 0, 'nothing was sure')
  })
})
