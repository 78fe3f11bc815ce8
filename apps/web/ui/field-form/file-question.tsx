import { Alert, Button, Group, Input, Text } from '@mantine/core'
import { fileLimitsOf, fileProblem } from '@tendon/contracts/form-file-limits'
import type { FormFile, FormQuestion } from '@tendon/sdk'
import { useId, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '../api/client.ts'
import { useWrite } from '../api/hooks.ts'
import { inClinic } from '../api/queries.ts'
import { Problem } from '../feedback/problem.tsx'
import { useUnsavedGuard } from '../feedback/use-unsaved-guard.ts'
import { useMegabytes } from '../format/megabytes.ts'
import { saveFile } from '../format/save-file.ts'
import { IconPaperclip } from '../icons/index.ts'
import { useClinicId } from '../session/clinic.tsx'
import { isTemporary } from './answers.ts'

interface FileQuestionProps {
  formId: string
  field: FormQuestion
  /** The value key, also the name of the file in the API. */
  name: string
  file: FormFile | undefined
  error: string | undefined
  readOnly: boolean
}

/** A question whose answer is a file, such as a photo or a report. A chosen file is checked, then uploaded at once. */
export function FileQuestion({ formId, field, name, file, error, readOnly }: FileQuestionProps) {
  const t = useTranslations('ui.form.file')
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const params = { id: formId, fieldKey: name }
  const organization = useClinicId()
  const refresh = ['/v1/forms']
  const upload = useWrite('POST /v1/forms/{id}/files/{fieldKey}', { refresh })
  const remove = useWrite('DELETE /v1/forms/{id}/files/{fieldKey}', { refresh })
  const [unfit, setUnfit] = useState<string>()
  const isLost = upload.error !== null && unfit === undefined && isTemporary(upload.error)
  useUnsavedGuard(upload.isPending || isLost, { text: () => t('leave') })
  const { maxBytes, types } = fileLimitsOf(field)
  const megabytes = useMegabytes()
  const kinds = types.map(shortKind).join(', ')
  const problemOf = (chosen: File): string | undefined => {
    const problem = fileProblem(field, chosen)
    if (problem === 'too_large')
      return t('tooLarge', { size: megabytes(chosen.size, 'ceil'), max: megabytes(maxBytes, 'floor') })
    if (problem === 'wrong_type') return t('wrongKind', { kinds })
    return problem && t('empty')
  }
  const send = (chosen: File | undefined) => {
    if (!chosen) return
    const problem = problemOf(chosen)
    setUnfit(problem)
    if (problem !== undefined) return
    const body = new FormData()
    body.append('file', chosen)
    upload.mutate({ params, body })
  }
  // The same file, after a lost connection.
  const { variables } = upload
  const retry = isLost && variables ? () => upload.mutate(variables) : undefined
  const open = async () => {
    if (file)
      saveFile(file.name, await api('GET /v1/forms/{id}/files/{fieldKey}', { params, ...inClinic(organization) }))
  }
  const limits = [
    t('limit', { size: megabytes(maxBytes, 'floor') }),
    field.allowed_file_types ? t('kinds', { kinds }) : '',
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
      {unfit !== undefined && (
        <Alert color="red" variant="outline" role="alert" mt="xs">
          {unfit}
        </Alert>
      )}
      <Problem error={unfit === undefined ? (upload.error ?? remove.error) : null} onRetry={retry} />
    </Input.Wrapper>
  )
}

/** The readable name of a media type: "JPEG" for "image/jpeg", "DOCUMENT" for the long names of offices. */
const shortKind = (mime: string): string => (mime.split('/')[1]?.split('.').at(-1) ?? mime).toUpperCase()
