import { Button, Group, Input, Text } from '@mantine/core'
import type { FormFile, FormQuestion } from '@tendon/sdk'
import { useId, useRef } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { api } from '../api/client.ts'
import { useWrite } from '../api/hooks.ts'
import { Problem } from '../feedback/problem.tsx'
import { saveFile } from '../format/save-file.ts'
import { IconPaperclip } from '../icons/index.ts'

interface FileQuestionProps {
  formId: string
  field: FormQuestion
  /** The value key, also the name of the file in the API. */
  name: string
  file: FormFile | undefined
  error: string | undefined
  readOnly: boolean
}

const BYTES_PER_MB = 1_000_000

/** A question whose answer is a file, such as a photo or a report. The file is uploaded at once. */
export function FileQuestion({ formId, field, name, file, error, readOnly }: FileQuestionProps) {
  const t = useTranslations('ui.form.file')
  const format = useFormatter()
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const params = { id: formId, fieldKey: name }
  const refresh = ['/v1/forms']
  const upload = useWrite('POST /v1/forms/{id}/files/{fieldKey}', { refresh })
  const remove = useWrite('DELETE /v1/forms/{id}/files/{fieldKey}', { refresh })
  const send = (chosen: File | undefined) => {
    if (!chosen) return
    const body = new FormData()
    body.append('file', chosen)
    upload.mutate({ params, body })
  }
  const open = async () => {
    if (file) saveFile(file.name, await api('GET /v1/forms/{id}/files/{fieldKey}', { params }))
  }
  const limits = [
    field.max_file_size ? t('limit', { size: format.number(field.max_file_size / BYTES_PER_MB) }) : '',
    field.allowed_file_types?.length ? t('kinds', { kinds: field.allowed_file_types.map(shortKind).join(', ') }) : '',
  ]
  return (
    <Input.Wrapper
      label={field.label ?? field.key}
      description={[field.help_text, ...limits].filter(Boolean).join(' ')}
      error={error}
      required={field.required === true}
      size="md"
      id={id}
    >
      <Group mt="xs" gap="xs">
        {file && (
          <>
            <Button variant="light" size="md" leftSection={<IconPaperclip size={18} />} onClick={() => void open()}>
              {t('open')}: {file.name}
            </Button>
            {!readOnly && (
              <Button variant="default" size="md" loading={remove.isPending} onClick={() => remove.mutate({ params })}>
                {t('remove')}
              </Button>
            )}
          </>
        )}
        {!readOnly && (
          <Button
            id={id}
            name={name}
            variant="default"
            size="md"
            loading={upload.isPending}
            onClick={() => input.current?.click()}
          >
            {file ? t('replace') : t('choose')}
          </Button>
        )}
        {upload.isPending && <Text role="status">{t('uploading')}</Text>}
      </Group>
      <input
        ref={input}
        type="file"
        hidden
        accept={field.allowed_file_types?.join(',')}
        onChange={(event) => {
          send(event.currentTarget.files?.[0])
          event.currentTarget.value = ''
        }}
      />
      <Problem error={upload.error ?? remove.error} />
    </Input.Wrapper>
  )
}

/** The readable name of a media type: "JPEG" for "image/jpeg". */
const shortKind = (mime: string): string => (mime.split('/')[1] ?? mime).toUpperCase()
