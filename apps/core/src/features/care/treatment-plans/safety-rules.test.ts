import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SafetyFinding } from '@tendon/contracts'
import fc from 'fast-check'
import {
  type ContraindicationFact,
  type Entry,
  findingsInOrder,
  isAnswered,
  newlyAnswered,
  type PrerequisiteFact,
  type SafetyFacts,
  verdictOn,
} from './safety-rules.ts'

const EXERCISES = ['a', 'b', 'c', 'd', 'e']
const exercise = fc.constantFrom(...EXERCISES)
const evidence = {
  clinical_basis: fc.option(fc.string()),
  tagged_by_principal_id: fc.option(fc.uuid()),
  tagged_at: fc.constant('2026-01-01T00:00:00.000Z'),
  translations: fc.record({ ro: fc.record({ clinical_basis: fc.string() }) }),
}
const contraindication: fc.Arbitrary<ContraindicationFact> = fc.record({
  ...evidence,
  exercise_id: exercise,
  contraindication_id: fc.uuid(),
  severity: fc.constantFrom('contraindicated', 'relative', 'precaution'),
  description: fc.option(fc.string()),
  patient_condition_id: fc.uuid(),
  condition_id: fc.uuid(),
  condition_slug: fc.string(),
  condition_name: fc.string(),
  condition_icd10_code: fc.option(fc.string()),
  since: fc.constant(null),
  recorded_by_principal_id: fc.option(fc.uuid()),
  recorded_at: fc.constant('2026-01-01T00:00:00.000Z'),
  status: fc.constantFrom('active', 'resolved', 'history'),
  stage: fc.constantFrom('acute', null),
  source: fc.option(fc.string()),
  contraindicated_condition: fc.record({
    id: fc.uuid(),
    slug: fc.string(),
    name: fc.string(),
    icd10_code: fc.constant(null),
  }),
})
const prerequisite: fc.Arbitrary<PrerequisiteFact> = fc.record({
  ...evidence,
  exercise_id: exercise,
  prerequisite_exercise_id: exercise,
  prerequisite_name: fc.string(),
  prerequisite_slug: fc.string(),
  completed: fc.boolean(),
})
const facts: fc.Arbitrary<SafetyFacts> = fc.record({
  contraindications: fc.array(contraindication, { maxLength: 6 }),
  prerequisites: fc.uniqueArray(prerequisite, {
    maxLength: 8,
    selector: (one) => `${one.exercise_id} ${one.prerequisite_exercise_id}`,
  }),
})
const order = fc.array(exercise, { maxLength: 8 })

const LEVELS = { contraindicated: 'block', relative: 'reason', precaution: 'notice' }

describe('the rules of the safety check', () => {
  test('the rules of the safety check find every contraindication at each place of its exercise, at the level of its severity, with its evidence', () => {
    fc.assert(
      fc.property(order, facts, (ids, known) => {
        for (const [index, findings] of findingsInOrder(ids, known).entries()) {
          const found = findings.filter(({ kind }) => kind === 'contraindication')
          const expected = known.contraindications.filter((fact) => fact.exercise_id === ids[index])
          assert.deepEqual(
            found.map((one) => [
              one.contraindication_id,
              one.level,
              one.patient_condition?.id,
              one.clinical_basis,
              one.translations,
            ]),
            expected.map((fact) => [
              fact.contraindication_id,
              LEVELS[fact.severity],
              fact.patient_condition_id,
              fact.clinical_basis,
              fact.translations,
            ]),
          )
        }
      }),
    )
  })

  test('the rules of the safety check find a prerequisite exactly where it is neither completed nor done before', () => {
    fc.assert(
      fc.property(order, facts, (ids, known) => {
        for (const [index, findings] of findingsInOrder(ids, known).entries()) {
          const before = ids.slice(0, index)
          const unmet = known.prerequisites.filter(
            (fact) =>
              fact.exercise_id === ids[index] && !fact.completed && !before.includes(fact.prerequisite_exercise_id),
          )
          assert.deepEqual(
            findings.flatMap((one) => (one.prerequisite ? [one.prerequisite.id] : [])),
            unmet.map((fact) => fact.prerequisite_exercise_id),
          )
        }
      }),
    )
  })

  test('the rules of the safety check never find more once an exercise is done first, or was completed', () => {
    const count = (findings: SafetyFinding[][]) => findings.flat().filter(({ kind }) => kind === 'prerequisite').length
    fc.assert(
      fc.property(order, exercise, facts, (ids, first, known) => {
        const before = findingsInOrder(ids, known)
        assert.ok(count(findingsInOrder([first, ...ids], known).slice(1)) <= count(before))
        const prerequisites = known.prerequisites.map((fact) => ({
          ...fact,
          completed: fact.completed || fact.prerequisite_exercise_id === first,
        }))
        assert.ok(count(findingsInOrder(ids, { ...known, prerequisites })) <= count(before))
      }),
    )
  })

  const reason = fc.constantFrom(null, 'old', 'new')
  const entries = fc
    .tuple(order, facts, facts)
    .chain(([ids, now, then]) => {
      const found = findingsInOrder(ids, now)
      // What was stored is some of what is found now, and something else.
      const stored = findingsInOrder(ids, {
        ...then,
        contraindications: now.contraindications.filter((_, at) => at % 2),
      })
      return fc.tuple(
        ...ids.map((_, at) =>
          fc.record({
            path: fc.constant(String(at)),
            findings: fc.constant(found[at] ?? []),
            override_reason: reason,
            stored: fc.option(fc.record({ override_reason: reason, safety: fc.constant(stored[at] ?? []) }), {
              nil: undefined,
            }),
          }),
        ),
      )
    })
    .map((all): Entry[] => all)

  test('the rules of the safety check accept a plan exactly when nothing blocks it and every finding that needs a reason has one', () => {
    fc.assert(
      fc.property(entries, (plan) => {
        const { blocking, unanswered } = verdictOn(plan)
        const all = plan.flatMap((entry) => entry.findings.map((finding) => ({ entry, finding })))
        assert.equal(blocking.length, all.filter(({ finding }) => finding.level === 'block').length)
        const open = all.filter(({ finding, entry }) => finding.level === 'reason' && !isAnswered(finding, entry))
        assert.deepEqual(
          unanswered.map(({ path }) => path),
          open.map(({ entry }) => entry.path),
        )
      }),
    )
  })

  test('the rules of the safety check accept no missing reason, every new reason, and an old one only for its own finding', () => {
    fc.assert(
      fc.property(entries, (plan) => {
        for (const entry of plan) {
          for (const finding of entry.findings.filter(({ level }) => level === 'reason')) {
            const known = entry.stored?.safety.some(
              (one) =>
                one.level === 'reason' &&
                one.contraindication_id === finding.contraindication_id &&
                one.prerequisite?.id === finding.prerequisite?.id,
            )
            const isNew = entry.override_reason !== (entry.stored?.override_reason ?? null)
            assert.equal(isAnswered(finding, entry), entry.override_reason !== null && (isNew || known === true))
          }
          const written = newlyAnswered(entry)
          assert.ok(written.every((finding) => finding.level === 'reason' && isAnswered(finding, entry)))
        }
      }),
    )
  })
})
