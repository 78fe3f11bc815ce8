import { Button, Text } from '@mantine/core'
import type { Me } from '@tendon/sdk'
import { useEffect, useSyncExternalStore } from 'react'
import { useTranslations } from 'use-intl'
import { signInGate } from '../api/gates.ts'
import { appName } from '../app.ts'
import { Dialog } from '../feedback/dialog.tsx'
import { hasTyped } from '../field-form/typed.ts'
import { onOtherTabs, signInUrl } from './sign-in.ts'

/** Where nobody is signed in, a 401 is an answer like any other. */
const never = () => () => {}

const WINDOW = 'popup,width=480,height=720'

/** Covers the page when the session has ended. Signing in happens in another window, so what was typed stays. */
export function SignInGate({ me }: { me: Me | null }) {
  const t = useTranslations('ui.signIn')
  const tProblem = useTranslations('ui.problem')
  const closed = useSyncExternalStore(me ? signInGate.mount : never, () => signInGate.reason === true)

  useEffect(
    () =>
      onOtherTabs((kind) => {
        if (kind === 'signed-out') location.replace(`/${appName()}/`)
        else if (signInGate.reason) void reopen(me)
      }),
    [me],
  )

  return (
    <Dialog open={closed} title={t('again')} covers>
      <Text>
        {t('ended')}
        {hasTyped() && ` ${tProblem('kept')}`}
      </Text>
      <Button size="md" onClick={() => window.open(signInUrl(`/${appName()}/signed-in`), '_blank', WINDOW)}>
        {t('again')}
      </Button>
    </Dialog>
  )
}

/** Another person must not send what the first one typed. */
async function reopen(before: Me | null): Promise<void> {
  const response = await fetch('/v1/me', { headers: { 'x-tendon-web': appName() } })
  const { data } = (await response.json()) as { data?: Me }
  if (data && data.principal_id !== before?.principal_id) location.reload()
  else if (data) signInGate.open(true)
}
