import { type Api, enterAsPatient, type Json } from '../start/api.ts'
import { agreements } from '../start/demo-patients.ts'
import { ensureProgram, givePlan, type ProgramPlan } from '../start/demo-plans.ts'

export interface SimulatedPatient {
  email: string
  /** The session of the active plan. */
  planSessionIds: string[]
  isFilmed: boolean
}

/** One in this many refuses motion capture. */
const UNFILMED = 5

/** Finds or creates patients of the staff member's clinic, each with an account, consents and an active plan. */
export async function createReception(api: Api, staff: string, program: ProgramPlan) {
  const agreed = await agreements(api, staff)
  const programId = await ensureProgram(api, staff, program)

  async function findOrCreate(number: number, email: string): Promise<string> {
    const found: Json[] = await api.get(`/v1/patients?q=${encodeURIComponent(email)}&limit=100`, staff)
    const known = found.find((patient) => patient.email === email)
    if (known) return known.id
    const agrees = ['telerehab', ...(number % UNFILMED === 0 ? [] : ['biometric_capture'])]
    const person = { first_name: 'Simulated', last_name: `Patient ${number}`, email, invite: true }
    return (await api.post('/v1/patients', staff, { ...person, consents: agreed(agrees) })).id
  }

  const activePlan = async (email: string): Promise<{ id: string } | undefined> =>
    (await api.get('/v1/me/treatment-plans?status=active&limit=1', email))[0]

  return async (number: number): Promise<SimulatedPatient> => {
    const email = `simulated-${number}@mail.example`
    const patientId = await findOrCreate(number, email)
    await enterAsPatient(api, email)
    const active = (await activePlan(email)) ?? (await givePlan(api, staff, patientId, programId))
    const plan = await api.get(`/v1/me/treatment-plans/${active.id}`, email)
    const consents: Json[] = await api.get('/v1/me/consents', email)
    await endWhatIsOpen(api, email)
    return {
      email,
      planSessionIds: plan.sessions.map((session: Json) => session.id),
      isFilmed: consents.some(({ purpose_code, current }) => purpose_code === 'biometric_capture' && current !== null),
    }
  }
}

/** Abandons runs left open by a stopped simulation. */
async function endWhatIsOpen(api: Api, email: string): Promise<void> {
  for (const { id } of await api.get('/v1/me/session-runs?status=in_progress&limit=100', email))
    await api.post(`/v1/session-runs/${id}/end`, email, { termination: 'ended_explicit' })
}
