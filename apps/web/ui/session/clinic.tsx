import { createContext, useContext } from 'react'

export interface Clinic {
  id: string
  name: string
  slug: string
  language_code: string
  time_zone: string
}

const ClinicContext = createContext<Clinic | null>(null)
export const ClinicProvider = ClinicContext.Provider

/** The clinic that the URL names; null on pages that belong to none. */
export const useClinicOrNone = (): Clinic | null => useContext(ClinicContext)

export function useClinic(): Clinic {
  const clinic = useContext(ClinicContext)
  if (!clinic) throw new Error('this page is not inside a clinic')
  return clinic
}

export const useClinicId = (): string | undefined => useContext(ClinicContext)?.id
