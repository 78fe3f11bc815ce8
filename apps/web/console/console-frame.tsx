import { linkOptions, type RegisteredRouter, type RouteIds, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { AccountMenu } from '#ui/frame/account-menu.tsx'
import { Frame, type NavItem } from '#ui/frame/frame.tsx'
import { SignOutEverywhere } from '#ui/frame/sign-out-everywhere.tsx'
import { IconActivity, IconCalendar, IconHome, IconSettings, IconStretching, IconUsers } from '#ui/icons/index.ts'
import { Shortcuts } from '#ui/keyboard/shortcuts.tsx'
import { useKeys } from '#ui/keyboard/use-keys.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { useMay } from '#ui/session/me.ts'
import { useMayOpen } from '#ui/session/needs.tsx'

interface Page extends NavItem {
  /** Of its route, which names the permission that it needs. */
  id: RouteIds<RegisteredRouter['routeTree']>
}

export function ConsoleFrame({ children }: { children: ReactNode }) {
  const t = useTranslations('console.nav')
  const { name, slug } = useClinic()
  const may = useMay()
  const mayOpen = useMayOpen()
  const params = { clinic: slug }
  const changesSettings = ['organizations.update_settings', 'services.manage', 'calendars.manage'].some(may)
  const pages: Page[] = [
    { id: '/$clinic/', link: linkOptions({ to: '/$clinic', params }), label: t('today'), icon: IconHome, exact: true },
    {
      id: '/$clinic/patients',
      link: linkOptions({ to: '/$clinic/patients', params }),
      label: t('patients'),
      icon: IconUsers,
    },
    {
      id: '/$clinic/calendar',
      link: linkOptions({ to: '/$clinic/calendar', params }),
      label: t('calendar'),
      icon: IconCalendar,
    },
    {
      id: '/$clinic/session-runs',
      link: linkOptions({ to: '/$clinic/session-runs', params }),
      label: t('sessions'),
      icon: IconActivity,
    },
    changesSettings
      ? {
          id: '/$clinic/settings',
          link: linkOptions({ to: '/$clinic/settings', params }),
          label: t('settings'),
          icon: IconSettings,
        }
      : {
          id: '/$clinic/settings/exercises',
          link: linkOptions({ to: '/$clinic/settings/exercises', params }),
          label: t('exercises'),
          icon: IconStretching,
        },
  ]
  const nav = pages.filter(({ id }) => mayOpen(id))
  return (
    <Frame title={name} nav={nav} account={<AccountMenu after={<SignOutEverywhere />} />}>
      {children}
      <ConsoleKeys slug={slug} />
    </Frame>
  )
}

const SEQUENCE_MS = 1_500

/** `g` and then a letter goes to a page; `?` shows all keys. */
function ConsoleKeys({ slug }: { slug: string }) {
  const t = useTranslations('console.keys')
  const navigate = useNavigate()
  const begun = useRef(0)
  const goTo = (to: '/$clinic' | '/$clinic/patients' | '/$clinic/calendar') => () => {
    if (Date.now() - begun.current < SEQUENCE_MS) void navigate({ to, params: { clinic: slug } })
    begun.current = 0
  }
  useKeys({
    g: () => {
      begun.current = Date.now()
    },
    h: goTo('/$clinic'),
    p: goTo('/$clinic/patients'),
    c: goTo('/$clinic/calendar'),
  })
  return (
    <Shortcuts
      keys={[
        { keys: ['?'], does: t('help') },
        { keys: ['/'], does: t('search') },
        { keys: ['↓'], does: t('firstRow') },
        { keys: ['n'], does: t('add') },
        { keys: ['j', 'k'], does: t('walk') },
        { keys: ['g h', 'g p', 'g c'], does: t('go') },
        { keys: ['t'], does: t('today') },
        { keys: ['←', '→'], does: t('turn') },
        { keys: ['d', 'w'], does: t('span') },
      ]}
    />
  )
}
