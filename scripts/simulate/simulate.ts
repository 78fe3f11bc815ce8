import { randomFrom } from '@tendon/testing'
import { type Api, createApi, type TokenOf } from '../start/api.ts'
import { KNEE, type ProgramPlan } from '../start/demo-plans.ts'
import { countedFetch } from './calls.ts'
import { checkRun } from './check.ts'
import { liveSession, type World } from './live.ts'
import { createReception } from './patients.ts'
import type { Tally } from './tally.ts'

interface Simulation {
  coreUrl: string
  /** Replaces the URL given by the core API. */
  telemetryUrl?: string
  tokenOf: TokenOf
  /** A staff member who may onboard patients and assign plans. */
  staff: string
  patients: number
  /** Sessions of each patient, one after the other. */
  sessions: number
  speed: number
  /** The same seed gives the same patients and sessions. */
  seed: number
  /** For patients without a plan. */
  program?: ProgramPlan
  tally: Tally
}

/** Runs all patients at once. A failure of one becomes a problem in the tally, and the others continue. */
export async function simulate(simulation: Simulation): Promise<void> {
  const { coreUrl, telemetryUrl, tokenOf, staff, patients, tally, speed, program = KNEE } = simulation
  const api: Api = createApi({ url: coreUrl, tokenOf, fetch: countedFetch(tally, 'core', { again: true }) })
  const world: World = { api, staff, tally, speed, ...(telemetryUrl === undefined ? {} : { telemetryUrl }) }
  const receive = await createReception(api, staff, program)
  await Promise.all(
    Array.from({ length: patients }, async (_, index) => {
      const number = index + 1
      try {
        await live(world, simulation, await receive(number), number)
      } catch (error) {
        tally.problems.push(`patient ${number}: ${(error as Error).message}`)
      }
    }),
  )
}

type Patient = Awaited<ReturnType<Awaited<ReturnType<typeof createReception>>>>

async function live(world: World, { sessions, seed }: Simulation, patient: Patient, number: number): Promise<void> {
  for (let session = 0; session < sessions; session += 1) {
    const planSessionId = patient.planSessionIds[session % patient.planSessionIds.length]
    if (planSessionId === undefined) throw new Error('the plan has no sessions')
    const random = randomFrom(seed + number * 7_919 + session * 104_729)
    await checkRun(world, await liveSession(world, patient, planSessionId, random))
  }
}
