import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { BackLink } from '#ui/frame/links.tsx'
import { Page } from '#ui/frame/page.tsx'
import { useClinic } from '#ui/session/clinic.tsx'

/** A page below "Me", with a link back. */
export function MyPage({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  const t = useTranslations('portal.account')
  const { slug } = useClinic()
  return (
    <Page
      title={title}
      actions={actions}
      back={
        <BackLink to="/$clinic/me" params={{ clinic: slug }}>
          {t('back')}
        </BackLink>
      }
    >
      {children}
    </Page>
  )
}
