import type { manifestOf } from '../../apps/core/src/features/care/session-runs/rules.ts'
import type { PlannedExercise } from '../simulate/movement.ts'
import type { Session } from '../simulate/session.ts'

interface PlannedSession {
  id: string
  exercises: (Omit<PlannedExercise, 'pose_config'> & Parameters<typeof manifestOf>[0][number])[]
}

export interface Patient {
  organization_id: string
  patient_profile_id: string
  treatment_plan_id: string
  is_filmed: boolean
  sessions: PlannedSession[]
}

/** A past session. */
export interface PastRun {
  id: string
  patient: Patient
  plan_session_id: string
  started: number
  session: Session
  vanished: boolean
}
