import { Button, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Problem } from '#ui/feedback/problem.tsx'
import { useWindowTitle } from '#ui/frame/page.tsx'
import { SignInPage, Welcome } from '#ui/session/sign-in-page.tsx'
import { ClinicLogo, useBranding } from './branding.tsx'
import { PrivacyNotice } from './privacy-notice.tsx'

/** The sign-in page of the clinic in the URL. */
export function ClinicSignIn() {
  const t = useTranslations('portal.entry')
  const privacy = useTranslations('portal.public')
  const [reading, setReading] = useState(false)
  const slug = useParams({ from: '/$clinic' }).clinic
  const clinic = useBranding(slug)
  const { name, logo_url } = clinic.data?.data ?? {}
  useWindowTitle(name ?? '')
  if (clinic.error?.status === 404)
    return (
      <Welcome title={t('unknown')}>
        <Text>{t('unknownText')}</Text>
        <Button component="a" href="/portal/" variant="default" size="md">
          {t('toStart')}
        </Button>
      </Welcome>
    )
  return (
    <SignInPage
      title={name ?? ' '}
      {...(logo_url ? { logo: <ClinicLogo url={logo_url} size="large" /> } : {})}
      more={
        <>
          <Button component="a" href={`/portal/${slug}/book`} variant="default" size="md" px="xs" fullWidth>
            {t('book')}
          </Button>
          <Button variant="subtle" size="md" px="xs" fullWidth onClick={() => setReading(true)}>
            {privacy('privacy')}
          </Button>
          {reading && <PrivacyNotice slug={slug} onClose={() => setReading(false)} />}
        </>
      }
    >
      <Text>{t('text')}</Text>
      <Problem error={clinic.error} onRetry={() => void clinic.refetch()} />
    </SignInPage>
  )
}
