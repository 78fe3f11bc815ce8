import type { ApiError } from '@tendon/sdk'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { ProblemHelp } from '#ui/feedback/problem.tsx'
import { TelephoneLink } from '#ui/format/telephone-link.tsx'
import { useBranding } from './branding.tsx'

interface CallClinicProps {
  /** The clinic's slug. */
  slug: string
  /** The place of the visit, whose own number comes first. */
  location?: { phone: string | null } | null | undefined
}

/** The telephone number as a link, for texts that say to call the clinic. Nothing when the clinic has published none. */
export function CallClinic({ slug, location }: CallClinicProps) {
  const t = useTranslations('portal.public')
  const branding = useBranding(slug)
  const phone = location?.phone ?? branding.data?.data.phone
  if (!phone) return null
  return (
    <TelephoneLink phone={phone} fw={600} display="inline-block" py={10}>
      {t('call', { phone })}
    </TelephoneLink>
  )
}

/** Refusals whose text says to call the clinic. */
const CALL_CODES = ['too_late', 'too_many_bookings']

/** Inside, refusals that say to call the clinic show its number. */
export function CallHelp({ slug, children }: { slug: string; children: ReactNode }) {
  const help = ({ code }: ApiError) => CALL_CODES.includes(code) && <CallClinic slug={slug} />
  return <ProblemHelp value={help}>{children}</ProblemHelp>
}
