import { Group } from '@mantine/core'
import { linkOptions, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { AccountMenu } from '#ui/frame/account-menu.tsx'
import { Frame, type NavItem } from '#ui/frame/frame.tsx'
import { SignOutEverywhere } from '#ui/frame/sign-out-everywhere.tsx'
import { Shortcuts } from '#ui/keyboard/shortcuts.tsx'
import { useKeys } from '#ui/keyboard/use-keys.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { ClinicSwitcher } from './parts/frame/clinic-switcher.tsx'
import { PaletteButton } from './parts/frame/palette-button.tsx'
import { type PageOffered, usePages } from './parts/frame/use-pages.ts'

/** Entries of the bar at the bottom of a phone; the rest is under "More". */
const BAR = ['/$clinic', '/$clinic/calendar', '/$clinic/patients']

export function ConsoleFrame({ children }: { children: ReactNode }) {
  const { slug } = useClinic()
  const pages = usePages()
  const nav = pages
    .filter(({ group }) => group !== 'settings')
    .map(
      ({ path, group, icon, label }): NavItem => ({
        link: linkOptions({ to: path, params: { clinic: slug } }),
        label,
        icon,
        group,
        exact: path === '/$clinic',
        inBar: BAR.includes(path),
      }),
    )
  return (
    <Frame
      title={<ClinicSwitcher />}
      nav={nav}
      account={
        <Group gap="xs" wrap="nowrap">
          <PaletteButton />
          <AccountMenu after={<SignOutEverywhere />} />
        </Group>
      }
    >
      {children}
      <ConsoleKeys pages={pages} />
    </Frame>
  )
}

/** Two letters one after the other open a page; `?` shows all keys. */
function ConsoleKeys({ pages }: { pages: readonly PageOffered[] }) {
  const t = useTranslations('console.keys')
  const { slug } = useClinic()
  const navigate = useNavigate()
  const withKeys = pages.filter(({ keys }) => keys !== undefined)
  useKeys(
    Object.fromEntries(
      withKeys.map(({ keys, path }) => [
        keys?.join('') ?? '',
        () => void navigate({ to: path, params: { clinic: slug } }),
      ]),
    ),
  )
  return (
    <Shortcuts
      keys={[
        { keys: ['?'], does: t('help') },
        { keys: ['Ctrl', 'K'], does: t('palette') },
        { keys: ['/'], does: t('search') },
        { keys: ['↓'], does: t('firstRow') },
        { keys: ['Enter'], does: t('openFirst') },
        { keys: ['n'], does: t('add') },
        { keys: ['j', 'k'], does: t('walk') },
        { keys: ['t'], does: t('today') },
        { keys: ['←', '→'], does: t('turn') },
        { keys: ['d', 'w'], does: t('span') },
        ...withKeys.map(({ keys, label }) => ({ keys: keys ?? [], does: label })),
      ]}
    />
  )
}
