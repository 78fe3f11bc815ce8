import { type Api, enterAsPatient, type Json } from './api.ts'

// Two programs of the clinic, and plans made from them. Maria Stan finds hers at her first sign-in; the others signed
// in long ago and have a history (demo-history.ts).

interface Wanted {
  slug: string
  sets: number
  reps?: number
  hold_seconds?: number
  rest_seconds: number
  side?: 'left' | 'right' | 'both'
}

/** A program by the slugs of its exercises. */
export interface ProgramPlan {
  name: string
  description: string
  sessions: { title: string; notes?: string; exercises: Wanted[] }[]
}

const set = (slug: string, sets: number, reps: number, more: Partial<Wanted> = {}): Wanted => ({
  slug,
  sets,
  reps,
  rest_seconds: 20,
  ...more,
})

export const KNEE: ProgramPlan = {
  name: 'Genunchi și șold, primele săptămâni',
  description: 'De trei ori pe săptămână, o ședință A și una B pe rând.',
  sessions: [
    {
      title: 'Ședința A',
      notes: 'Încet, fără durere.',
      exercises: [
        set('quadriceps-set', 2, 8, { hold_seconds: 5 }),
        set('heel-slide', 2, 8),
        set('straight-leg-raise', 2, 8, { hold_seconds: 2 }),
        set('sit-to-stand', 2, 8, { rest_seconds: 30 }),
      ],
    },
    {
      title: 'Ședința B',
      exercises: [
        set('heel-slide', 2, 10),
        set('short-arc-knee-extension', 2, 8, { hold_seconds: 3 }),
        set('squat', 2, 8, { rest_seconds: 30 }),
      ],
    },
  ],
}

const SHOULDER: ProgramPlan = {
  name: 'Umăr, mobilitate și forță',
  description: 'De trei ori pe săptămână.',
  sessions: [
    {
      title: 'Mobilitate',
      exercises: [
        { slug: 'shoulder-pendulum', sets: 1, hold_seconds: 60, rest_seconds: 10 },
        set('assisted-shoulder-flexion', 2, 8),
        set('elbow-flexion', 2, 10),
      ],
    },
    {
      title: 'Forță',
      exercises: [
        set('scapular-retraction', 2, 8, { hold_seconds: 5 }),
        set('shoulder-abduction', 2, 8, { side: 'both', rest_seconds: 30 }),
        set('wall-push-up', 2, 8, { rest_seconds: 30 }),
      ],
    },
  ],
}

const PLANS: { patient: string; program: ProgramPlan }[] = [
  { patient: 'Stan', program: KNEE },
  { patient: 'Țurcanu', program: KNEE },
  { patient: 'Câmpeanu', program: KNEE },
  { patient: 'Bennett', program: KNEE },
  { patient: 'Mărgineanu', program: KNEE },
  { patient: 'Dobre', program: SHOULDER },
  { patient: 'Șerban', program: SHOULDER },
]
const NEW_PATIENT = 'Stan'

/** Returns the id of the clinic's program of that name, creating it if necessary. */
export async function ensureProgram(api: Api, staff: string, program: ProgramPlan): Promise<string> {
  const programs: Json[] = await api.get('/v1/programs?limit=100', staff)
  const known = programs.find(({ name }) => name === program.name)
  if (known) return known.id
  const { exercises } = await api.raw('/v1/exercises?limit=100', staff)
  const sessions = program.sessions.map((session) => ({
    ...session,
    exercises: session.exercises.map(({ slug, ...prescription }) => ({
      exercise_id: exercises.find((exercise: Json) => exercise.slug === slug)?.id,
      ...prescription,
    })),
  }))
  return (await api.post('/v1/programs', staff, { ...program, sessions })).id
}

/** Creates an active plan of the program for the patient. */
export async function givePlan(api: Api, staff: string, patientId: string, programId: string): Promise<{ id: string }> {
  const plan = await api.post('/v1/treatment-plans', staff, { patient_id: patientId, program_id: programId })
  return api.put(`/v1/treatment-plans/${plan.id}/status`, staff, { status: 'active' })
}

/** Creates what is missing; returns the ids of patients with a history. */
export async function seedPlans(api: Api, specialist: string): Promise<string[]> {
  const patients: Json[] = await api.get('/v1/patients?limit=100', specialist)
  const plans: Json[] = await api.get('/v1/treatment-plans?limit=100', specialist)
  const experienced: string[] = []
  for (const { patient: name, program } of PLANS) {
    const patient = patients.find(({ last_name }) => last_name === name)
    if (!patient) continue
    if (!plans.some((plan) => plan.patient.id === patient.id))
      await givePlan(api, specialist, patient.id, await ensureProgram(api, specialist, program))
    if (name === NEW_PATIENT) continue
    if (patient.status === 'invited') await enterAsPatient(api, patient.email)
    experienced.push(patient.id)
  }
  return experienced
}
