import { ActionIcon, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ApiError } from '@tendon/sdk'
import { useRef, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { api } from '#ui/api/client.ts'
import { useList, useWrite } from '#ui/api/hooks.ts'
import { Confirm } from '#ui/feedback/confirm.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { saveFile } from '#ui/format/save-file.ts'
import { IconDownload, IconPaperclip, IconTrash } from '#ui/icons/index.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import classes from './visit.module.css'

const BYTES_PER_KB = 1000
const REFRESH = ['/v1/appointments/{id}/files']

interface NamedFile {
  id: string
  name: string
}

/** Files of a visit, such as a referral. The patient sees them too. */
export function VisitFiles({ visitId, readOnly }: { visitId: string; readOnly: boolean }) {
  const t = useTranslations('console.visits.files')
  const format = useFormatter()
  const { id: organization } = useClinic()
  const input = useRef<HTMLInputElement>(null)
  const [removing, setRemoving] = useState<NamedFile>()
  const files = useList('GET /v1/appointments/{id}/files', { params: { id: visitId } })
  const upload = useWrite('POST /v1/appointments/{id}/files', { refresh: REFRESH })
  const remove = useWrite('DELETE /v1/appointments/{id}/files/{fileId}', {
    refresh: REFRESH,
    onDone: () => setRemoving(undefined),
  })
  const send = (file: File | undefined) => {
    if (!file) return
    const body = new FormData()
    body.append('file', file)
    upload.mutate({ params: { id: visitId }, body })
  }
  const download = useMutation<void, ApiError, NamedFile>({
    mutationFn: async ({ id, name }) =>
      saveFile(
        name,
        await api('GET /v1/appointments/{id}/files/{fileId}', {
          params: { id: visitId, fileId: id },
          headers: { 'x-organization-id': organization },
        }),
      ),
  })
  const askToRemove = (file: NamedFile) => {
    remove.reset()
    setRemoving(file)
  }
  return (
    <Stack gap="xs" component="section">
      <Group justify="space-between">
        <Title order={3} size="h4">
          {t('title')}
        </Title>
        {!readOnly && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPaperclip size={16} />}
            loading={upload.isPending}
            onClick={() => input.current?.click()}
          >
            {t('add')}
          </Button>
        )}
      </Group>
      {files.data?.items.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('empty')}
        </Text>
      )}
      <ul className={classes.files}>
        {files.data?.items.map((file) => (
          <li key={file.id} className={classes.file}>
            <span className={classes.fileName}>
              {file.name}{' '}
              <Text component="span" size="sm" c="dimmed">
                {format.number(Math.ceil(file.size / BYTES_PER_KB))} KB
              </Text>
            </span>
            <Group gap={0} wrap="nowrap">
              <ActionIcon
                aria-label={`${t('download')}: ${file.name}`}
                loading={download.isPending && download.variables.id === file.id}
                onClick={() => download.mutate(file)}
              >
                <IconDownload size={18} />
              </ActionIcon>
              {!readOnly && (
                <ActionIcon aria-label={`${t('remove')}: ${file.name}`} onClick={() => askToRemove(file)}>
                  <IconTrash size={18} />
                </ActionIcon>
              )}
            </Group>
          </li>
        ))}
      </ul>
      <Problem error={upload.error ?? download.error ?? files.error} />
      <input
        ref={input}
        type="file"
        hidden
        onChange={(event) => {
          send(event.currentTarget.files?.[0])
          event.currentTarget.value = ''
        }}
      />
      <Confirm
        open={removing !== undefined}
        danger
        title={t('removeTitle')}
        text={removing?.name ?? ''}
        action={t('remove')}
        pending={remove.isPending}
        error={remove.error}
        onConfirm={() => removing && remove.mutate({ params: { id: visitId, fileId: removing.id } })}
        onClose={() => setRemoving(undefined)}
      />
    </Stack>
  )
}
