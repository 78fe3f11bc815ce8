import { Button, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { Confirm } from '#ui/feedback/confirm.tsx'
import { useSignOut } from '#ui/session/sign-in.ts'
import { MyExports } from '../../parts/me/my-exports.tsx'
import { MyPage } from '../../parts/me/my-page.tsx'

/** Export of the person's data, and erasure of the account. */
export function DataPage() {
  const t = useTranslations('portal.data')
  const [asking, setAsking] = useState(false)
  return (
    <MyPage title={t('title')}>
      <Stack gap="xl">
        <MyExports />
        <Stack component="section" gap="sm">
          <Title order={2}>{t('erase')}</Title>
          <Text>{t('eraseText')}</Text>
          <Button
            variant="default"
            c="var(--mantine-color-error)"
            size="md"
            w="fit-content"
            onClick={() => setAsking(true)}
          >
            {t('eraseAction')}
          </Button>
        </Stack>
      </Stack>
      {asking && <Erase onClose={() => setAsking(false)} />}
    </MyPage>
  )
}

function Erase({ onClose }: { onClose: () => void }) {
  const t = useTranslations('portal.data')
  const [typed, setTyped] = useState('')
  const [missing, setMissing] = useState(false)
  const signOut = useSignOut()
  const erase = useWrite('POST /v1/me/erase', { onDone: () => void signOut().catch(() => location.assign('/portal/')) })
  const word = t('word')
  const isRight = typed.trim().toLocaleUpperCase() === word
  return (
    <Confirm
      open
      danger
      title={t('eraseTitle')}
      text={
        <Stack>
          <Text>{t('eraseText')}</Text>
          <TextInput
            size="md"
            label={t('typeWord', { word })}
            value={typed}
            autoComplete="off"
            error={missing && !isRight ? t('typeWord', { word }) : undefined}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </Stack>
      }
      action={t('eraseAction')}
      pending={erase.isPending}
      error={erase.error}
      onConfirm={() => (isRight ? erase.mutate({ body: { confirm: 'ERASE' } }) : setMissing(true))}
      onClose={onClose}
    />
  )
}
