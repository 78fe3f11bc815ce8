import { linkOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { AccountMenu } from '#ui/frame/account-menu.tsx'
import { Frame } from '#ui/frame/frame.tsx'
import { SignOutEverywhere } from '#ui/frame/sign-out-everywhere.tsx'
import { IconBuildingHospital } from '#ui/icons/index.ts'
import { AccountLanguage } from '#ui/session/account-language.tsx'

export function PlatformFrame({ children }: { children: ReactNode }) {
  const t = useTranslations('platform.nav')
  const nav = [{ link: linkOptions({ to: '/' }), label: t('organizations'), icon: IconBuildingHospital }]
  return (
    <Frame title="Tendon" nav={nav} account={<AccountMenu after={<SignOutEverywhere />} />}>
      <AccountLanguage />
      {children}
    </Frame>
  )
}
