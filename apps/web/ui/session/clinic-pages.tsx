import { Outlet } from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import { InZone } from '../i18n/i18n.tsx'
import { AccountLanguage } from './account-language.tsx'
import { type Clinic, ClinicProvider } from './clinic.tsx'

interface ClinicPagesProps {
  /** null: nobody is signed in. */
  clinic: Clinic | null
  frame: ComponentType<{ children: ReactNode }>
  /** Where the routes of the app name what they need: `PermittedOutlet`. */
  outlet?: ComponentType
  signIn: ComponentType
}

/** Everything inside one clinic, in its time zone. Another clinic in the same tab begins with nothing of the first. */
export function ClinicPages({ clinic, frame: Frame, outlet: Pages = Outlet, signIn: SignIn }: ClinicPagesProps) {
  if (!clinic) return <SignIn />
  return (
    <ClinicProvider value={clinic} key={clinic.id}>
      <AccountLanguage />
      <InZone zone={clinic.time_zone}>
        <Frame>
          <Pages />
        </Frame>
      </InZone>
    </ClinicProvider>
  )
}
