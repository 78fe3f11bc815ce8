import type { Me } from '@tendon/sdk'
import { createContext, useContext } from 'react'

export interface Clinic {
  id: string
  name: string
  slug: string
  language_code: string
  time_zone: string
  formats: Me['memberships'][number]['organization']['formats']
}

/** For `useFormats`; a page uses `useClinic`. */
export const ClinicContext = createContext<Clinic | null>(null)
export const ClinicProvider = ClinicContext.Provider

export function useClinic(): Clinic {
  const clinic = useContext(ClinicContext)
  if (!clinic) throw new Error('this page is not inside a clinic')
  return clinic
}

export const useClinicId = (): string | undefined => useContext(ClinicContext)?.id
