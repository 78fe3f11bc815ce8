import { Button, Group, Stack, Text } from '@mantine/core'
import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { Problem } from '#ui/feedback/problem.tsx'
import { IconUpload } from '#ui/icons/index.ts'
import { useClinic } from '#ui/session/clinic.tsx'

const REFRESH = ['/v1/organizations']

/** The clinic's logo on sign-in pages, mails and documents. */
export function Logo({ url, readOnly }: { url: string | null; readOnly: boolean }) {
  const t = useTranslations('console.settings.logo')
  const { id } = useClinic()
  const input = useRef<HTMLInputElement>(null)
  const upload = useWrite('POST /v1/organizations/{id}/logo', { refresh: REFRESH })
  const remove = useWrite('DELETE /v1/organizations/{id}/logo', { refresh: REFRESH })
  const send = (file: File | undefined) => {
    if (!file) return
    const body = new FormData()
    body.append('file', file)
    upload.mutate({ params: { id }, body })
  }
  return (
    <Stack>
      <Text c="dimmed">{t('text')}</Text>
      {url !== null && <img src={new URL(url).pathname} alt={t('title')} height={56} width="auto" />}
      {!readOnly && (
        <Group>
          <Button
            variant="default"
            leftSection={<IconUpload size={18} />}
            loading={upload.isPending}
            onClick={() => input.current?.click()}
          >
            {url === null ? t('add') : t('replace')}
          </Button>
          {url !== null && (
            <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate({ params: { id } })}>
              {t('remove')}
            </Button>
          )}
        </Group>
      )}
      <Problem error={upload.error ?? remove.error} />
      <input
        ref={input}
        type="file"
        hidden
        accept="image/png,image/jpeg,image/webp"
        onChange={(event) => {
          send(event.currentTarget.files?.[0])
          event.currentTarget.value = ''
        }}
      />
    </Stack>
  )
}
