import { Button, Text } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { appName } from '../app.ts'
import { tellOtherTabs } from './sign-in.ts'
import { Welcome } from './sign-in-page.tsx'

/** Where the window that was opened to sign in again arrives: it tells the page that waits, and closes if the browser allows it. */
export function SignedInPage() {
  const t = useTranslations('ui')
  useEffect(() => {
    tellOtherTabs('signed-in')
    window.close()
  }, [])
  return (
    <Welcome title={t('signIn.done')}>
      <Text>{t('signIn.doneText')}</Text>
      <Button component="a" href={`/${appName()}/`} size="md">
        {t('signIn.toStart')}
      </Button>
    </Welcome>
  )
}
