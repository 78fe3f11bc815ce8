import { Button, Checkbox, Paper, Stack, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { IconSignature } from '#ui/icons/index.ts'

/** The patient signs a complete form. A signed form cannot be changed. */
export function SignForm({ id }: { id: string }) {
  const t = useTranslations('portal.forms')
  const [agreed, setAgreed] = useState(false)
  const sign = useWrite('POST /v1/forms/{id}/sign', {
    refresh: ['/v1/forms', '/v1/me/today', '/v1/me/consents'],
    onDone: () => toast({ text: t('signed') }),
  })
  return (
    <Paper component="section" withBorder p="md">
      <Stack>
        <Title order={2}>{t('signTitle')}</Title>
        <Checkbox
          label={t('signAgree')}
          checked={agreed}
          onChange={(event) => setAgreed(event.currentTarget.checked)}
        />
        <Problem error={sign.error} />
        <Button
          size="md"
          w="fit-content"
          leftSection={<IconSignature size={20} />}
          disabled={!agreed}
          loading={sign.isPending}
          onClick={() => sign.mutate({ params: { id } })}
        >
          {t('sign')}
        </Button>
      </Stack>
    </Paper>
  )
}
