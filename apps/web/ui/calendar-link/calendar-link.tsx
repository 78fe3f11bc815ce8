import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import type { ApiError, CalendarFeed } from '@tendon/sdk'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Dialog } from '../feedback/dialog.tsx'
import { Problem } from '../feedback/problem.tsx'
import { IconCalendarEvent } from '../icons/index.ts'

interface Write<Call> {
  mutate: (call: Call) => void
  reset: () => void
  isPending: boolean
  isSuccess: boolean
  error: ApiError | null
}

interface CalendarLinkProps<Call> {
  create: Write<Call> & { data?: { data: CalendarFeed } | undefined }
  remove: Write<Call>
  call: Call
  /** 'md' on a phone. */
  size?: 'sm' | 'md'
  /** Whose visits. */
  children?: ReactNode
}

/** Creates and ends the private link that a calendar app subscribes to. The API returns the link only once. */
export function CalendarLink<Call>({ create, remove, call, size = 'sm', children }: CalendarLinkProps<Call>) {
  const t = useTranslations('ui.calendarLink')
  const [open, setOpen] = useState(false)
  const clipboard = useClipboard()
  const url = create.data?.data.url
  const after = (act: () => void) => () => {
    create.reset()
    remove.reset()
    act()
  }
  return (
    <>
      <Button
        variant="default"
        size={size}
        w="fit-content"
        leftSection={<IconCalendarEvent size={18} />}
        onClick={after(() => setOpen(true))}
      >
        {t('open')}
      </Button>
      <Dialog open={open} title={t('title')} onClose={() => setOpen(false)}>
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
                <Button size={size} variant="default" onClick={() => clipboard.copy(url)}>
                  {clipboard.copied ? t('copied') : t('copy')}
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
            <Button size={size} variant="default" loading={remove.isPending} onClick={after(() => remove.mutate(call))}>
              {t('remove')}
            </Button>
            <Button size={size} loading={create.isPending} onClick={after(() => create.mutate(call))} data-autofocus>
              {url === undefined ? t('create') : t('replace')}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  )
}
