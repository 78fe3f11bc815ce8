import { Button, Stack, Text, Title } from '@mantine/core'
import { Outlet, type RegisteredRouter, type RouteIds, useChildMatches, useRouter } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { useTranslations } from 'use-intl'
import { appName } from '../app.ts'
import { usePermissionText } from '../feedback/problem.tsx'
import { Page } from '../frame/page.tsx'
import { useClinic } from './clinic.tsx'
import { useMay } from './me.ts'
import { missingOf } from './permission.ts'

/** The page inside this one, or, to a person without the permission that its route needs, which one is missing. */
export function PermittedOutlet({ refusal: Refusal = NoPermissionPage }: { refusal?: ComponentType<Refused> }) {
  const may = useMay()
  const missing = useChildMatches({ select: ([child]) => missingOf(child?.staticData.needs, may) })
  return missing === undefined ? <Outlet /> : <Refusal permission={missing} />
}

/** Whether the person may open the page of a route: `mayOpen('/$clinic/calendar')`. Menus show only those. */
export function useMayOpen(): (id: RouteIds<RegisteredRouter['routeTree']>) => boolean {
  const { routesById } = useRouter()
  const may = useMay()
  return (id) => missingOf(routesById[id]?.options.staticData?.needs, may) === undefined
}

interface Refused {
  permission: string
}

function NoPermissionPage({ permission }: Refused) {
  const t = useTranslations('ui')
  const textOf = usePermissionText()
  const clinic = useClinic()
  return (
    <Page title={t('noPermission.title')}>
      <Text>{textOf(permission)}</Text>
      <Button component="a" href={`/${appName()}/${clinic.slug}`} w="fit-content">
        {t('notFound.action')}
      </Button>
    </Page>
  )
}

/** In a record with tabs: the others stay within reach. */
export function NoPermissionTab({ permission }: Refused) {
  const t = useTranslations('ui.noPermission')
  const textOf = usePermissionText()
  return (
    <Stack gap="xs">
      <Title order={2} tabIndex={-1} data-part>
        {t('tab')}
      </Title>
      <Text>{textOf(permission)}</Text>
    </Stack>
  )
}
