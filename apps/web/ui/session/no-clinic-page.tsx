import { Text } from '@mantine/core'
import type { Me } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { appName } from '../app.ts'
import { Welcome } from './sign-in-page.tsx'
import { SignOutButton } from './sign-out-button.tsx'

/** Signed in, but with nothing to see in this app. */
export function NoClinicPage({ me }: { me: Me }) {
  const t = useTranslations('ui')
  const text = { console: 'noClinicText', portal: 'notPortal', platform: 'notPlatform' } as const
  return (
    <Welcome title={t('signIn.noClinic')}>
      <Text>{t(`signIn.${text[appName()]}`, { email: me.email ?? '' })}</Text>
      <SignOutButton label={t('frame.signOut')} />
    </Welcome>
  )
}
