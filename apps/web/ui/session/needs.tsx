import { Button, Text } from '@mantine/core'
import { Outlet, type RegisteredRouter, type RouteIds, useMatches, useRouter } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { tab } from '../api/client.ts'
import { usePermissionText } from '../feedback/problem.tsx'
import { Page } from '../frame/page.tsx'
import { useClinic } from './clinic.tsx'
import { useMay } from './me.ts'

declare module '@tanstack/router-core' {
  interface StaticDataRouteOption {
    /** The permission that the page of this route needs; null: every member may open it. Pages inside it need it too. */
    needs?: string | null
  }
}

/** The page of the URL, or, to a person without a permission that its route needs, which one is missing. */
export function PermittedOutlet() {
  const may = useMay()
  const missing = useMatches({
    select: (matches) => matches.map(({ staticData }) => staticData.needs).find((needs) => isMissing(needs, may)),
  })
  return missing ? <NoPermissionPage permission={missing} /> : <Outlet />
}

/** Whether the person may open the page of a route: `mayOpen('/$clinic/calendar')`. Menus show only those. */
export function useMayOpen(): (id: RouteIds<RegisteredRouter['routeTree']>) => boolean {
  const { routesById } = useRouter()
  const may = useMay()
  return (id) => !isMissing(routesById[id]?.options.staticData?.needs, may)
}

const isMissing = (needs: string | null | undefined, may: (permission: string) => boolean): boolean =>
  needs !== undefined && needs !== null && !may(needs)

function NoPermissionPage({ permission }: { permission: string }) {
  const t = useTranslations('ui')
  const textOf = usePermissionText()
  const clinic = useClinic()
  return (
    <Page title={t('noPermission.title')}>
      <Text>{textOf(permission)}</Text>
      <Button component="a" href={`/${tab.app}/${clinic.slug}`} w="fit-content">
        {t('notFound.action')}
      </Button>
    </Page>
  )
}
