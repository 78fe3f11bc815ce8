import type {
  PatientEvaluation,
  SegmentDefinition,
  SegmentExplanation,
  SegmentPreview,
  SegmentRule,
} from '@tendon/contracts'
import { SEGMENT_PREVIEW_SAMPLE, todayIn } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import type { Scheduling } from '../../../platform/scheduling.ts'
import {
  findEvaluatedPatient,
  findZone,
  listEvaluatedSegments,
  listSegmentIds,
  lockPatient,
  lockSegment,
  movePatient,
  previewMatching,
  replaceMembers,
  type Times,
} from './evaluation-queries.ts'
import { findFacts, findKnown } from './facts-queries.ts'
import { judge, matches } from './judging-rules.ts'
import { type CountAppointments, matchingPatients } from './matching-queries.ts'
import { type BrokenRule, conditionsOf, type Known, placeOf } from './rules.ts'

// Evaluates segments: all patients in the database, one patient in memory. It runs with every permission, no matter who
// asked: a patient who saves a form sees no segment, and what a member of staff may not see decides all the same.

interface Evaluator {
  scheduling: Scheduling
  now: () => Date
}

interface Replaced {
  added: number
  removed: number
}

/** The fields and templates of these rules that are not deleted. */
function knownTo(tx: TenantTx, rules: readonly SegmentRule[]): Promise<Known> {
  const fieldIds = rules.flatMap((rule) => (rule.source === 'appointments' ? [] : [rule.custom_field_id]))
  const templateIds = rules.flatMap((rule) => (rule.source === 'form' ? [rule.template_id] : []))
  return findKnown(tx, [...new Set(fieldIds)], [...new Set(templateIds)])
}

const countIn =
  ({ scheduling }: Evaluator, zone: string): CountAppointments =>
  (statuses) =>
    scheduling.countAppointments(statuses, zone)

/** The query that finds everybody whom the rules let in. */
async function compile(tx: TenantTx, { match_mode, rules }: SegmentDefinition, evaluator: Evaluator) {
  const [zone, known] = await Promise.all([findZone(tx), knownTo(tx, rules)])
  const judged = conditionsOf({ rules }, known, todayIn(zone, evaluator.now()))
  if ('broken' in judged) return judged
  return { matching: matchingPatients(match_mode, judged.conditions, countIn(evaluator, zone)) }
}

/** Re-evaluates all members. Undefined if the segment was deleted. */
export async function rebuildSegment(
  tx: TenantTx,
  segmentId: string,
  evaluator: Evaluator,
  times: Times,
): Promise<Replaced | { broken: BrokenRule } | undefined> {
  const segment = await lockSegment(tx, segmentId, times)
  if (!segment) return undefined
  const compiled = await compile(tx, segment, evaluator)
  return 'broken' in compiled ? compiled : replaceMembers(tx, segment, compiled.matching, evaluator.now())
}

interface PatientOutcome extends PatientEvaluation {
  /** Segments that are being rebuilt: the patient must be evaluated for them later. */
  left: number
  broken: (BrokenRule & { segment_id: string })[]
}

/** Re-evaluates the segments of one patient. Undefined if there is no such patient. */
export async function evaluatePatient(
  tx: TenantTx,
  patientId: string,
  evaluator: Evaluator,
): Promise<PatientOutcome | undefined> {
  const { free, left } = await lockPatient(tx, patientId)
  const [segments, patient, zone] = await Promise.all([
    listEvaluatedSegments(tx, free),
    findEvaluatedPatient(tx, patientId),
    findZone(tx),
  ])
  if (!patient) return undefined
  const rules = segments.flatMap((segment) => segment.rules)
  const [known, facts, current] = await Promise.all([
    knownTo(tx, rules),
    findFacts(tx, patientId, rules.map(placeOf), countIn(evaluator, zone)),
    listSegmentIds(tx, patientId),
  ])
  const isIn = new Set(current)
  const today = todayIn(zone, evaluator.now())
  const outcome: PatientOutcome = { evaluated: 0, added_to: [], removed_from: [], left, broken: [] }
  for (const segment of segments) {
    const judged = conditionsOf(segment, known, today)
    if ('broken' in judged && patient.barred === null) {
      outcome.broken.push({ segment_id: segment.id, ...judged.broken })
      continue
    }
    outcome.evaluated += 1
    const fits =
      patient.barred === null && 'conditions' in judged && matches(segment.match_mode, judged.conditions, facts)
    if (fits && !isIn.has(segment.id)) outcome.added_to.push(segment.id)
    if (!fits && isIn.has(segment.id)) outcome.removed_from.push(segment.id)
  }
  if (outcome.added_to.length + outcome.removed_from.length > 0)
    Object.assign(outcome, await movePatient(tx, patient, outcome, evaluator.now()))
  return outcome
}

/** The number of matching patients and a sample. Nothing is saved. */
export async function previewSegment(
  tx: TenantTx,
  definition: SegmentDefinition,
  evaluator: Evaluator,
  times: Times,
): Promise<SegmentPreview | { broken: BrokenRule }> {
  const compiled = await compile(tx, definition, evaluator)
  return 'broken' in compiled ? compiled : previewMatching(tx, compiled.matching, SEGMENT_PREVIEW_SAMPLE, times)
}

/** Each rule with the value found for the patient and whether it matches. */
export async function explainSegment(
  tx: TenantTx,
  segment: SegmentDefinition,
  patientId: string,
  evaluator: Evaluator,
): Promise<Pick<SegmentExplanation, 'matches' | 'rules'> | { broken: BrokenRule }> {
  const [zone, known] = await Promise.all([findZone(tx), knownTo(tx, segment.rules)])
  const facts = await findFacts(tx, patientId, segment.rules.map(placeOf), countIn(evaluator, zone))
  const judged = conditionsOf(segment, known, todayIn(zone, evaluator.now()))
  if ('broken' in judged) return judged
  const rules = segment.rules.flatMap((rule, index) => {
    const condition = judged.conditions[index]
    if (condition === undefined) return []
    const { value, holds } = judge(condition, facts)
    return [{ rule, value: value ?? null, withheld: false, result: holds }]
  })
  return { matches: matches(segment.match_mode, judged.conditions, facts), rules }
}
