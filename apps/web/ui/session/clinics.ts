import type { QueryClient } from '@tanstack/react-query'
import { notFound } from '@tanstack/react-router'
import type { Me } from '@tendon/sdk'
import { appName } from '../app.ts'
import type { Clinic } from './clinic.tsx'
import { meOptions } from './me.ts'

/** The clinics that a person may enter in this app: where they work in the console, where they are a patient in the portal. */
export function clinicsOf(me: Me): Clinic[] {
  if (appName() === 'console') return me.memberships.map(({ organization }) => organization)
  return me.patient_records.map(({ organization }) => organization)
}

interface Entering {
  context: { queryClient: QueryClient; me: Me | null }
  params: { clinic: string }
}

/** The clinic that the URL names becomes the one of this tab. Nobody signed in: null, and the route shows the sign-in page. */
export async function enterClinic({ context, params }: Entering): Promise<{ clinic: Clinic | null }> {
  const { me, queryClient } = context
  if (!me) return { clinic: null }
  const clinic = clinicsOf(me).find(({ slug }) => slug === params.clinic)
  if (!clinic) throw notFound()
  await queryClient.ensureQueryData(meOptions(clinic.id))
  return { clinic }
}
