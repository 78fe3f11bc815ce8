import type { DataClass, Words } from '../../../platform/data-class.ts'

const MEDICAL_RECORD: Words = {
  en: 'What a patient did in a treatment is part of the medical record, which the clinic must keep by law (GDPR, articles 9(2)(h) and 17(3)(b)).',
  ro: 'Ce a făcut pacientul în cadrul tratamentului face parte din dosarul medical, pe care clinica îl păstrează prin lege (RGPD, articolele 9 alineatul (2) litera (h) și 17 alineatul (3) litera (b)).',
}

/** The runs and their figures stay without the person; what they said in their own words goes. */
export const sessionRunDataClasses: readonly DataClass[] = [
  {
    name: 'session_runs',
    table: 'session_runs',
    label: { en: 'Exercise sessions', ro: 'Ședințe de exerciții' },
    patientColumn: 'patient_profile_id',
    export: {
      rows: [
        'treatment_plan_id',
        'plan_session_id',
        'prescription',
        'status',
        'started_at',
        'last_event_at',
        'ended_at',
      ],
    },
    erase: { strategy: 'keep', because: MEDICAL_RECORD },
  },
  {
    name: 'session_run_events',
    table: 'session_run_events',
    label: { en: 'What happened in exercise sessions', ro: 'Ce s-a întâmplat în ședințele de exerciții' },
    patientColumn: 'patient_profile_id',
    export: { rows: ['session_run_id', 'session_exercise_id', 'type', 'data', 'occurred_at', 'created_at'] },
    erase: { strategy: 'keep', because: MEDICAL_RECORD },
  },
  {
    name: 'pain_reports',
    table: 'pain_reports',
    label: { en: 'Pain that was reported', ro: 'Durerea raportată' },
    patientColumn: 'patient_profile_id',
    export: {
      rows: [
        'session_run_id',
        'session_exercise_id',
        'severity',
        'action',
        'note',
        'warning_signs',
        'occurred_at',
        'created_at',
      ],
    },
    erase: { strategy: 'null', columns: ['note'], because: MEDICAL_RECORD },
    letThrough: 'pain reports protect the patient’s health, so they are accepted while processing is restricted',
  },
  {
    name: 'session_feedback',
    table: 'session_feedback',
    label: { en: 'Feedback on exercise sessions', ro: 'Cum au decurs ședințele de exerciții' },
    patientColumn: 'patient_profile_id',
    export: { rows: ['session_run_id', 'perceived_exertion', 'pain', 'comment', 'created_at', 'updated_at'] },
    erase: { strategy: 'null', columns: ['comment'], because: MEDICAL_RECORD },
  },
]
