import { Button, Text } from '@mantine/core'
import { useParams, useRouteContext } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { clinicsOf } from '#ui/session/clinics.ts'
import { Welcome } from '#ui/session/sign-in-page.tsx'
import { SignOutButton } from '#ui/session/sign-out-button.tsx'
import type { AppContext } from '#ui/start.tsx'

/** For signed-in people who are not patients of the clinic in the URL. */
export function NotAPatientPage() {
  const t = useTranslations('portal.entry')
  const { me }: AppContext = useRouteContext({ strict: false })
  const slug = useParams({ from: '/$clinic' }).clinic
  const [first] = me ? clinicsOf(me) : []
  return (
    <Welcome title={t('notAPatient')}>
      <Text>
        {me?.email_verified === false
          ? t('unverified', { email: me.email ?? '' })
          : t('notAPatientText', { email: me?.email ?? '' })}
      </Text>
      {first ? (
        <Button component="a" href={`/portal/${first.slug}`} size="md">
          {t('toOwn', { clinic: first.name })}
        </Button>
      ) : (
        <Button component="a" href={`/portal/${slug}/book`} size="md">
          {t('book')}
        </Button>
      )}
      <SignOutButton label={t('other')} />
    </Welcome>
  )
}
