import { linkOptions } from '@tanstack/react-router'
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
  const params = { clinic: slug }
  const nav = [
    { link: linkOptions({ to: '/$clinic', params }), label: t('today'), icon: IconHome, exact: true },
    { link: linkOptions({ to: '/$clinic/visits', params }), label: t('visits'), icon: IconCalendar },
    { link: linkOptions({ to: '/$clinic/forms', params }), label: t('forms'), icon: IconForms },
    { link: linkOptions({ to: '/$clinic/progress', params }), label: t('progress'), icon: IconChartBar },
    { link: linkOptions({ to: '/$clinic/me', params }), label: t('me'), icon: IconUserCircle },
  ]
  return (
    <Frame title={title} nav={nav} narrow account={<AccountMenu />}>
      <CallHelp slug={slug}>{children}</CallHelp>
    </Frame>
  )
}
