import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  CLEARANCES,
  CONDITION_STAGES,
  CONTRAINDICATION_SEVERITIES,
  PATIENT_CONDITION_STATUSES,
} from '@tendon/contracts'
import fc from 'fast-check'
import {
  type ConditionLinks,
  type ConditionTree,
  contraindicatedBy,
  contraindicatedExercises,
  currentCondition,
  type HeldCondition,
  lineageOf,
  type NamedContraindication,
  relationOf,
  severityFor,
} from './contraindication-rules.ts'

const IDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
const treeOf = (links: Record<string, Partial<ConditionLinks>>): ConditionTree =>
  new Map(IDS.map((id) => [id, { id, parent_id: null, replaced_by_id: null, ...links[id] }]))

/** Links lead to earlier conditions only, so there is no circle. */
const tree: fc.Arbitrary<ConditionTree> = fc
  .tuple(...IDS.map((_, index) => fc.tuple(fc.nat({ max: index }), fc.nat({ max: index * 4 }))))
  .map((all) =>
    treeOf(
      Object.fromEntries(
        all.map(([parent, replacement], index) => [
          IDS[index],
          {
            parent_id: IDS.slice(0, index)[parent] ?? null,
            replaced_by_id: IDS.slice(0, index)[replacement] ?? null,
          },
        ]),
      ),
    ),
  )
const circles: fc.Arbitrary<ConditionTree> = fc
  .tuple(...IDS.map(() => fc.tuple(fc.option(fc.constantFrom(...IDS)), fc.option(fc.constantFrom(...IDS)))))
  .map((all) =>
    treeOf(
      Object.fromEntries(all.map(([parent_id, replaced_by_id], index) => [IDS[index], { parent_id, replaced_by_id }])),
    ),
  )
const id = fc.constantFrom(...IDS)
const held: fc.Arbitrary<HeldCondition> = fc.record({
  condition_id: id,
  status: fc.constantFrom(...PATIENT_CONDITION_STATUSES),
  stage: fc.option(fc.constantFrom(...CONDITION_STAGES)),
  cleared_for: fc.uniqueArray(fc.constantFrom(...CLEARANCES)),
})
const named: fc.Arbitrary<NamedContraindication> = fc
  .record({
    contraindicated_id: id,
    severity: fc.constantFrom(...CONTRAINDICATION_SEVERITIES),
    stages: fc.option(fc.uniqueArray(fc.constantFrom(...CONDITION_STAGES), { minLength: 1 })),
    until_cleared_for: fc.option(fc.constantFrom(...CLEARANCES)),
  })
  .map((one) => (one.stages === null ? one : { ...one, until_cleared_for: null }))
const ALWAYS: NamedContraindication = {
  contraindicated_id: 'a',
  severity: 'contraindicated',
  stages: null,
  until_cleared_for: null,
}
const RANK = ['precaution', 'relative', 'contraindicated']
const isNoMoreSevere = (one: string | null, other: string | null) =>
  one === null || (other !== null && RANK.indexOf(one) <= RANK.indexOf(other))

describe('rules of contraindications', () => {
  test('a deprecated condition is followed to one that is not replaced, and a circle has none', () => {
    fc.assert(
      fc.property(tree, id, (known, from) => {
        const current = currentCondition(known, from)
        assert.equal(known.get(current ?? '')?.replaced_by_id, null)
        assert.equal(currentCondition(known, current ?? ''), current)
      }),
    )
    const circle = treeOf({ a: { replaced_by_id: 'b' }, b: { replaced_by_id: 'a' } })
    assert.equal(currentCondition(circle, 'a'), undefined)
    assert.equal(currentCondition(circle, 'unknown'), undefined)
  })

  test('a lineage leads from the current condition to each current parent, and always ends', () => {
    fc.assert(
      fc.property(tree, id, (known, from) => {
        const lineage = lineageOf(known, from)
        assert.equal(lineage[0], currentCondition(known, from))
        for (const [index, one] of lineage.entries()) {
          const parent = known.get(one)?.parent_id ?? null
          assert.equal(lineage[index + 1], parent === null ? undefined : currentCondition(known, parent))
        }
      }),
    )
    fc.assert(fc.property(circles, id, (known, from) => assert.ok(lineageOf(known, from).length <= 20)))
  })

  test('a condition relates to itself, to its ancestors and descendants, and to conditions with the same parent', () => {
    const family = treeOf({
      b: { parent_id: 'a' },
      c: { parent_id: 'a' },
      d: { parent_id: 'b' },
      e: { parent_id: 'b' },
    })
    const relate = (patient: string, contraindicated: string) =>
      relationOf(lineageOf(family, patient), lineageOf(family, contraindicated))
    assert.deepEqual(
      [relate('b', 'b'), relate('d', 'b'), relate('d', 'a'), relate('b', 'd'), relate('a', 'd'), relate('d', 'e')],
      ['same', 'same', 'same', 'kin', 'kin', 'kin'],
    )
    assert.deepEqual([relate('d', 'c'), relate('c', 'd'), relate('a', 'f'), relate('f', 'g')], [null, null, null, null])
  })

  test('an unknown condition relates to nothing', () => {
    fc.assert(
      fc.property(circles, id, (known, from) => {
        assert.equal(relationOf(lineageOf(known, from), []), null)
        assert.equal(relationOf([], lineageOf(known, from)), null)
      }),
    )
    assert.equal(relationOf([], []), null)
  })

  test('a replaced condition relates exactly as its replacement does', () => {
    fc.assert(
      fc.property(tree, id, id, (known, one, other) => {
        const now = currentCondition(known, one) ?? one
        assert.equal(
          relationOf(lineageOf(known, one), lineageOf(known, other)),
          relationOf(lineageOf(known, now), lineageOf(known, other)),
        )
      }),
    )
  })

  test('nothing makes a contraindication more severe than it is, and without a relation there is none', () => {
    fc.assert(
      fc.property(held, named, (condition, one) => {
        const most = one.severity
        for (const relation of ['same', 'kin'] as const) {
          const severity = severityFor(condition, one, relation)
          assert.ok(severity === 'precaution' || isNoMoreSevere(severity, most))
        }
        const [same, kin] = [severityFor(condition, one, 'same'), severityFor(condition, one, 'kin')]
        assert.ok(isNoMoreSevere(kin, same))
        assert.equal(severityFor(condition, one, null), null)
      }),
    )
  })

  test('an active condition keeps the severity unless its recorded stage or a clearance lifts it', () => {
    fc.assert(
      fc.property(held, named, (condition, one) => {
        const { stage, cleared_for } = condition
        const isOtherStage = stage !== null && one.stages !== null && !one.stages.includes(stage)
        const isCleared = cleared_for.some((clearance) => clearance === one.until_cleared_for)
        const expected = isOtherStage || isCleared ? null : one.severity
        assert.equal(severityFor({ ...condition, status: 'active' }, one, 'same'), expected)
        const kin = severityFor({ ...condition, status: 'active' }, one, 'kin')
        assert.equal(kin, expected === 'contraindicated' ? 'relative' : expected)
      }),
    )
  })

  test('a past condition is a precaution; a resolved one too, if the contraindication has no end of its own', () => {
    fc.assert(
      fc.property(held, named, fc.constantFrom('same' as const, 'kin' as const), (condition, one, relation) => {
        assert.equal(severityFor({ ...condition, status: 'history' }, one, relation), 'precaution')
        const isPermanent = one.stages === null && one.until_cleared_for === null
        const resolved = severityFor({ ...condition, status: 'resolved' }, one, relation)
        assert.equal(resolved, isPermanent ? 'precaution' : null)
      }),
    )
  })

  test('every pair is weighed, in the order of contraindications, then of conditions', () => {
    fc.assert(
      fc.property(circles, fc.array(named), fc.array(held), (known, all, conditions) => {
        const expected = all.flatMap((one) =>
          conditions.flatMap((condition) => {
            const lineages = [condition.condition_id, one.contraindicated_id].map((each) => lineageOf(known, each))
            const [patient = [], contraindicated = []] = lineages
            const severity = severityFor(condition, one, relationOf(patient, contraindicated))
            return severity === null ? [] : [{ named: one, held: condition, severity }]
          }),
        )
        assert.deepEqual(contraindicatedBy(all, conditions, known), expected)
      }),
    )
  })

  const planned = fc.record({
    plan: fc.constantFrom('p1', 'p2'),
    exercise: fc.constantFrom('x1', 'x2'),
    patient: fc.constantFrom('ana', 'ion'),
    against: named,
  })

  test('an exercise of a plan is contraindicated by conditions of the plan’s patient only, the most severe first', () => {
    fc.assert(
      fc.property(fc.array(planned), fc.array(fc.tuple(held, fc.constantFrom('ana', 'ion'))), (all, conditions) => {
        const rows = all
          .toSorted((one, other) => `${one.plan} ${one.exercise}`.localeCompare(`${other.plan} ${other.exercise}`))
          .map(({ plan, exercise, patient, against }) => ({
            ...against,
            treatment_plan_id: plan,
            title: 'Knee',
            status: 'active' as const,
            patient_profile_id: patient,
            exercise_id: exercise,
            exercise_name: exercise,
          }))
        const counted = conditions.map(([condition, patient], index) => ({
          ...condition,
          patient_profile_id: patient,
          patient_condition_id: `${patient} ${index}`,
        }))
        const found = contraindicatedExercises(rows, counted, treeOf({}))
        const expected = rows.flatMap((row) =>
          contraindicatedBy(
            [row],
            counted.filter(({ patient_profile_id }) => patient_profile_id === row.patient_profile_id),
            treeOf({}),
          ),
        )
        assert.equal(found.length, expected.length)
        const keys = found.map(({ treatment_plan_id, exercise_id }) => `${treatment_plan_id} ${exercise_id}`)
        assert.deepEqual(keys, keys.toSorted())
        for (const [index, one] of found.entries()) {
          const next = found[index + 1]
          if (next && keys[index] === keys[index + 1]) assert.ok(isNoMoreSevere(next.severity, one.severity))
        }
      }),
    )
  })

  test('a contraindication without stages or clearance holds for the condition itself in every stage', () => {
    fc.assert(
      fc.property(held, (condition) => {
        const active: HeldCondition = { ...condition, condition_id: 'a', status: 'active' }
        const [found] = contraindicatedBy([ALWAYS], [active], treeOf({}))
        assert.equal(found?.severity, 'contraindicated')
      }),
    )
  })
})
