import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { AccountMenu } from '#ui/frame/account-menu.tsx'
import { Frame } from '#ui/frame/frame.tsx'
import { SignOutEverywhere } from '#ui/frame/sign-out-everywhere.tsx'
import { IconActivity, IconCalendar, IconHome, IconSettings, IconStretching, IconUsers } from '#ui/icons/index.ts'
import { Shortcuts } from '#ui/keyboard/shortcuts.tsx'
import { useKeys } from '#ui/keyboard/use-keys.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { useMay } from '#ui/session/me.ts'

export function ConsoleFrame({ children }: { children: ReactNode }) {
  const t = useTranslations('console.nav')
  const { name, slug } = useClinic()
  const may = useMay()
  const nav = [
    { to: `/${slug}`, label: t('today'), icon: IconHome, exact: true },
    { to: `/${slug}/patients`, label: t('patients'), icon: IconUsers },
    ...(may('appointments.view_org') ? [{ to: `/${slug}/calendar`, label: t('calendar'), icon: IconCalendar }] : []),
    ...(may('session_runs.view_org')
      ? [{ to: `/${slug}/session-runs`, label: t('sessions'), icon: IconActivity }]
      : []),
    ...(['organizations.update_settings', 'services.manage', 'calendars.manage'].some(may)
      ? [{ to: `/${slug}/settings`, label: t('settings'), icon: IconSettings }]
      : may('exercises.manage_org')
        ? [{ to: `/${slug}/settings/exercises`, label: t('exercises'), icon: IconStretching }]
        : []),
  ]
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
  const goTo = (path: string) => () => {
    if (Date.now() - begun.current < SEQUENCE_MS) void navigate({ to: `/${slug}${path}` })
    begun.current = 0
  }
  useKeys({
    g: () => {
      begun.current = Date.now()
    },
    h: goTo(''),
    p: goTo('/patients'),
    c: goTo('/calendar'),
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
