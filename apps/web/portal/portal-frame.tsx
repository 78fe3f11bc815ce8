import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { AccountMenu } from '#ui/frame/account-menu.tsx'
import { Frame } from '#ui/frame/frame.tsx'
import { IconCalendar, IconChartBar, IconForms, IconHome, IconUserCircle } from '#ui/icons/index.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import classes from './frame/branding.module.css'
import { ClinicLogo, useBranding } from './frame/branding.tsx'
import { CallHelp } from './frame/call-clinic.tsx'

export function PortalFrame({ children }: { children: ReactNode }) {
  const t = useTranslations('portal.nav')
  const { name, slug } = useClinic()
  const branding = useBranding(slug)
  const title = (
    <div className={classes.titled}>
      <ClinicLogo url={branding.data?.data.logo_url} />
      <span>{name}</span>
    </div>
  )
  const nav = [
    { to: `/${slug}`, label: t('today'), icon: IconHome, exact: true },
    { to: `/${slug}/visits`, label: t('visits'), icon: IconCalendar },
    { to: `/${slug}/forms`, label: t('forms'), icon: IconForms },
    { to: `/${slug}/progress`, label: t('progress'), icon: IconChartBar },
    { to: `/${slug}/me`, label: t('me'), icon: IconUserCircle },
  ]
  return (
    <Frame title={title} nav={nav} narrow account={<AccountMenu />}>
      <CallHelp slug={slug}>{children}</CallHelp>
    </Frame>
  )
}
