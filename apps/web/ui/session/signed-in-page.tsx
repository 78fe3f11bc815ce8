import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { tellOtherTabs } from './sign-in.ts'
import { Welcome } from './sign-in-page.tsx'

/** Where the window that was opened to sign in again arrives: it tells the page that waits, and closes. */
export function SignedInPage() {
  const t = useTranslations('ui')
  useEffect(() => {
    tellOtherTabs('signed-in')
    window.close()
  }, [])
  return <Welcome title={t('signIn.title')}>{t('frame.loading')}</Welcome>
}
