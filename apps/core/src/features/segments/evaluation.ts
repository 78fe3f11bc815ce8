import type { PatientEvaluation, SegmentDefinition, SegmentExplanation, SegmentPreview } from '@tendon/contracts'
import { SEGMENT_PREVIEW_SAMPLE } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import type { Scheduling } from '../../platform/scheduling.ts'
import { todayIn } from './calendar-rules.ts'
import {
  type EvaluatedSegment,
  findEvaluatedPatient,
  findZone,
  lockFreeSegments,
  lockSegment,
  placePatient,
  previewMatching,
  replaceMembers,
  type Times,
} from './evaluation-queries.ts'
import { findFacts, findKnown } from './facts-queries.ts'
import { judge, matches } from './judging-rules.ts'
import { matchingPatients } from './matching-queries.ts'
import { type BrokenRule, type Condition, conditionsOf } from './rules.ts'

// Holds segments against patients: all of them in the database, one of them in memory. It runs with every right, whoever
// asked: a patient who saves a form sees no segment, and what a member of staff may not see decides all the same.

export interface Evaluator {
  scheduling: Scheduling
  now: () => Date
}

export interface Replaced {
  added: number
  removed: number
}

/** What the clinic's day and fields are, for the rules of these segments. */
async function settingOf(
  tx: TenantTx,
  { scheduling, now }: Evaluator,
  definitions: readonly Pick<SegmentDefinition, 'rules'>[],
) {
  const rules = definitions.flatMap((one) => one.rules)
  const fieldIds = rules.flatMap((rule) => (rule.source === 'appointments' ? [] : [rule.custom_field_id]))
  const templateIds = rules.flatMap((rule) => (rule.source === 'form' ? [rule.template_id] : []))
  const [zone, known] = await Promise.all([
    findZone(tx),
    findKnown(tx, [...new Set(fieldIds)], [...new Set(templateIds)]),
  ])
  return {
    known,
    today: todayIn(zone, now()),
    countAppointments: (statuses: string[] | null) => scheduling.countAppointments(statuses, zone),
  }
}

/** Finds all members anew. Undefined: the segment is gone. */
export async function rebuildSegment(
  tx: TenantTx,
  segmentId: string,
  evaluator: Evaluator,
  times: Times,
): Promise<Replaced | { broken: BrokenRule } | undefined> {
  const segment = await lockSegment(tx, segmentId, times)
  if (!segment) return undefined
  const { known, today, countAppointments } = await settingOf(tx, evaluator, [segment])
  const judged = conditionsOf(segment, known, today)
  if ('broken' in judged) return judged
  const matching = matchingPatients(segment.match_mode, judged.conditions, countAppointments)
  return replaceMembers(tx, segment, matching, evaluator.now())
}

export interface PatientOutcome extends PatientEvaluation {
  /** Segments that are being rebuilt just now: the patient must be held against them later. */
  left: number
  broken: (BrokenRule & { segment_id: string })[]
}

/** Finds the segments of one patient anew. Undefined: there is no such patient. */
export async function evaluatePatient(
  tx: TenantTx,
  patientId: string,
  evaluator: Evaluator,
): Promise<PatientOutcome | undefined> {
  const { segments, left } = await lockFreeSegments(tx, patientId)
  const [patient, { known, today, countAppointments }] = await Promise.all([
    findEvaluatedPatient(tx, patientId),
    settingOf(tx, evaluator, segments),
  ])
  if (!patient) return undefined
  const whole: { segment: EvaluatedSegment; conditions: Condition[] }[] = []
  const broken: PatientOutcome['broken'] = []
  for (const segment of segments) {
    const judged = patient.barred === null ? conditionsOf(segment, known, today) : { conditions: [] }
    if ('broken' in judged) broken.push({ segment_id: segment.id, ...judged.broken })
    else whole.push({ segment, conditions: judged.conditions })
  }
  const facts = await findFacts(
    tx,
    patient,
    whole.flatMap(({ conditions }) => conditions),
    countAppointments,
  )
  const evaluated = whole.map(({ segment }) => segment.id)
  const matching = whole
    .filter(({ segment, conditions }) => patient.barred === null && matches(segment.match_mode, conditions, facts))
    .map(({ segment }) => segment.id)
  const placed = await placePatient(tx, patient, { evaluated, matching }, evaluator.now())
  return { evaluated: evaluated.length, ...placed, left, broken }
}

/** How many the rules would let in, and some of them. Nothing is kept. */
export async function previewSegment(
  tx: TenantTx,
  definition: SegmentDefinition,
  evaluator: Evaluator,
): Promise<SegmentPreview | { broken: BrokenRule }> {
  const { known, today, countAppointments } = await settingOf(tx, evaluator, [definition])
  const judged = conditionsOf(definition, known, today)
  if ('broken' in judged) return judged
  const matching = matchingPatients(definition.match_mode, judged.conditions, countAppointments)
  return previewMatching(tx, matching, SEGMENT_PREVIEW_SAMPLE)
}

/** Each rule, what it finds of the patient, and whether it holds. */
export async function explainSegment(
  tx: TenantTx,
  segment: SegmentDefinition,
  patient: { id: string; patient_profile_id: string },
  evaluator: Evaluator,
): Promise<Pick<SegmentExplanation, 'matches' | 'rules'> | { broken: BrokenRule }> {
  const { known, today, countAppointments } = await settingOf(tx, evaluator, [segment])
  const judged = conditionsOf(segment, known, today)
  if ('broken' in judged) return judged
  const facts = await findFacts(tx, patient, judged.conditions, countAppointments)
  const rules = segment.rules.map((rule, index) => {
    const { value, holds } = judge(judged.conditions[index] as Condition, facts)
    return { rule, value: value ?? null, withheld: false, result: holds }
  })
  return { matches: matches(segment.match_mode, judged.conditions, facts), rules }
}
