import { useContext } from 'react'
import { type Clinic, ClinicContext } from '../session/clinic.tsx'

/** What a clinic that has chosen nothing uses, and a page outside of clinics. */
const USUAL: Clinic['formats'] = { date: 'dmy', clock: '24h', week: 'monday' }

/** How the clinic of this page writes dates and times. */
export const useFormats = (): Clinic['formats'] => useContext(ClinicContext)?.formats ?? USUAL
