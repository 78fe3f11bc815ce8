import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '../api/hooks.ts'
import { appName } from '../app.ts'
import { Confirm } from '../feedback/confirm.tsx'
import { tellOtherTabs } from '../session/sign-in.ts'

/** Ends all sessions of the person, on every device. */
export function SignOutEverywhere() {
  const t = useTranslations('ui.frame')
  const [asking, setAsking] = useState(false)
  const write = useWrite('DELETE /v1/me/sessions', {
    onDone: () => {
      tellOtherTabs('signed-out')
      location.assign(`/${appName()}/`)
    },
  })
  return (
    <>
      <Button variant="subtle" onClick={() => setAsking(true)}>
        {t('signOutEverywhere')}
      </Button>
      <Confirm
        open={asking}
        title={t('signOutEverywhere')}
        text={t('signOutEverywhereText')}
        action={t('signOutEverywhere')}
        pending={write.isPending}
        error={write.error}
        onConfirm={() => write.mutate({})}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
