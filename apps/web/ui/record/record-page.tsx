import { Badge, Group, Text } from '@mantine/core'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { Page } from '../frame/page.tsx'
import { useKeys } from '../keyboard/use-keys.ts'
import { NoPermissionTab, PermittedOutlet } from '../session/needs.tsx'
import classes from './record-page.module.css'

export interface RecordTab {
  /** The tab's URL. */
  to: string
  label: string
  count?: number
  exact?: boolean
}

export interface RecordPageProps {
  /** May be a person's name: it is shown, but kept out of the window's title. */
  title: ReactNode
  documentTitle: string
  /** Under the heading: badges, age, phone. */
  facts?: ReactNode
  actions?: ReactNode
  tabs: readonly RecordTab[]
  /** URLs of the neighbours in the list one came from: keys J and K. */
  next?: string | undefined
  previous?: string | undefined
}

/** On a phone the tabs are wider than the screen: the one that is open is in view. */
function useOpenTabInView(tabs: readonly RecordTab[]): RefObject<HTMLElement | null> {
  const nav = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const open = tabs.findLast(({ to }) => pathname.startsWith(to))?.to
  useEffect(() => {
    const link = nav.current?.querySelector<HTMLElement>(`a[href$="${open}"]`)
    if (nav.current && link) nav.current.scrollLeft = link.offsetLeft - (nav.current.clientWidth - link.clientWidth) / 2
  }, [open])
  return nav
}

/** One record with its tabs. Every tab is a route, so that it can be linked to and gone back to. */
export function RecordPage({ title, documentTitle, facts, actions, tabs, next, previous }: RecordPageProps) {
  const t = useTranslations('ui.record')
  const navigate = useNavigate()
  const nav = useOpenTabInView(tabs)
  useKeys({
    ...(next === undefined ? {} : { j: () => void navigate({ to: next }) }),
    ...(previous === undefined ? {} : { k: () => void navigate({ to: previous }) }),
  })
  return (
    <Page title={title} documentTitle={documentTitle} actions={actions}>
      {facts && (
        <Text component="div" c="dimmed">
          {facts}
        </Text>
      )}
      <nav ref={nav} aria-label={t('tabs')} className={`${classes.tabs} no-print`}>
        {tabs.map(({ to, label, count, exact }) => (
          <Link key={to} to={to} className={classes.tab} activeOptions={{ exact: exact ?? false }} replace>
            <Group gap={6} wrap="nowrap">
              {label}
              {count !== undefined && count > 0 && <Badge size="sm">{count}</Badge>}
            </Group>
          </Link>
        ))}
      </nav>
      <PermittedOutlet refusal={NoPermissionTab} />
    </Page>
  )
}
