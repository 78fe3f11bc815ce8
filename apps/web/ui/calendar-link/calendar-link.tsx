import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import type { ApiError, CalendarFeed } from '@tendon/sdk'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Problem } from '../feedback/problem.tsx'

interface Write {
  isPending: boolean
  isSuccess: boolean
  error: ApiError | null
}

interface CalendarLinkProps {
  create: Write & { data?: { data: CalendarFeed } | undefined }
  remove: Write
  onCreate: () => void
  onRemove: () => void
  /** 'md' on a phone. */
  size?: 'sm' | 'md'
  /** Whose visits. */
  children?: ReactNode
}

/** Creates and ends the private link that a calendar app subscribes to. The API returns the link only once. */
export function CalendarLink({ create, remove, onCreate, onRemove, size = 'sm', children }: CalendarLinkProps) {
  const t = useTranslations('ui.calendarLink')
  const url = create.data?.data.url
  const [copied, setCopied] = useState<string>()
  return (
    <Stack>
      <Text>{t('text')}</Text>
      {children}
      {url !== undefined && (
        <>
          <TextInput
            readOnly
            size={size}
            label={t('link')}
            description={t('once')}
            value={url}
            onFocus={(event) => event.currentTarget.select()}
          />
          <Group>
            <Button
              size={size}
              variant="default"
              onClick={() => void navigator.clipboard.writeText(url).then(() => setCopied(url))}
            >
              {copied === url ? t('copied') : t('copy')}
            </Button>
            <Button size={size} variant="default" component="a" href={url.replace(/^https?:/, 'webcal:')}>
              {t('subscribe')}
            </Button>
          </Group>
        </>
      )}
      {remove.isSuccess && <Text role="status">{t('removed')}</Text>}
      <Problem error={create.error ?? remove.error} />
      <Group justify="flex-end" {...(size === 'md' ? { className: 'phone-wide' } : {})}>
        <Button size={size} variant="default" loading={remove.isPending} onClick={onRemove}>
          {t('remove')}
        </Button>
        <Button size={size} loading={create.isPending} onClick={onCreate} data-autofocus>
          {url === undefined ? t('create') : t('replace')}
        </Button>
      </Group>
    </Stack>
  )
}
