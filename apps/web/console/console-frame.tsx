import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { AccountMenu } from '../ui/frame/account-menu.tsx'
import { Frame } from '../ui/frame/frame.tsx'
import { IconActivity, IconHome, IconUsers } from '../ui/icons/index.ts'
import { useClinic } from '../ui/session/clinic.tsx'

export function ConsoleFrame({ children }: { children: ReactNode }) {
  const t = useTranslations('console.nav')
  const { name, slug } = useClinic()
  const nav = [
    { to: `/${slug}`, label: t('today'), icon: IconHome, exact: true },
    { to: `/${slug}/patients`, label: t('patients'), icon: IconUsers },
    { to: `/${slug}/session-runs`, label: t('sessions'), icon: IconActivity },
  ]
  return (
    <Frame title={name} nav={nav} account={<AccountMenu />}>
      {children}
    </Frame>
  )
}
