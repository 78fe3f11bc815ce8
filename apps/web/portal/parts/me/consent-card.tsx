import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { MyConsentState } from '@tendon/sdk'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { Confirm } from '#ui/feedback/confirm.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { saveFile } from '#ui/format/save-file.ts'
import { Agree } from './give-consent.tsx'
import classes from './me.module.css'

/** One purpose: its status and text, and buttons to agree, withdraw and download a receipt. */
export function ConsentCard({ state }: { state: MyConsentState }) {
  const t = useTranslations('portal.consents')
  const format = useFormatter()
  const [open, setOpen] = useState<'text' | 'agree' | 'withdraw' | null>(null)
  const close = () => setOpen(null)
  const { current, text, withdrawal } = state
  const day = (value: string) => format.dateTime(new Date(value), { dateStyle: 'medium' })
  const canAgree = text !== null && (current === null || state.newer_text)
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Group justify="space-between" align="flex-start" gap="xs">
          <Title order={3} size="h4">
            {state.name}
          </Title>
          <Badge color={current ? 'tendon' : 'gray'}>
            {current ? t('given', { date: day(current.granted_at) }) : t('notGiven')}
          </Badge>
        </Group>
        <Text>{state.description}</Text>
        {current && state.newer_text && <Text fw={650}>{t('newer')}</Text>}
        {current && withdrawal && withdrawal.how !== 'withdraw' && (
          <Text c="dimmed">{withdrawal.how === 'leave_clinic' ? t('byLeaving') : t('byErasing')}</Text>
        )}
        <Group gap="xs">
          {canAgree && (
            <Button variant={current ? 'filled' : 'light'} size="md" onClick={() => setOpen('agree')}>
              {current ? t('readNewer') : t('give')}
            </Button>
          )}
          {current && (
            <Button variant="default" size="md" onClick={() => setOpen('text')}>
              {t('read')}
            </Button>
          )}
          {current && <ReceiptButton id={current.id} purpose={state.purpose_code} />}
          {current && state.withdrawable && (
            <Button variant="default" size="md" onClick={() => setOpen('withdraw')}>
              {t('withdraw')}
            </Button>
          )}
        </Group>
        <History state={state} day={day} />
      </Stack>
      <Dialog open={open === 'text'} title={state.name} onClose={close} size="md">
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long text scrolls by keyboard */}
        <section className={classes.text} tabIndex={0} aria-label={state.name}>
          {state.accepted_body}
        </section>
      </Dialog>
      {text && (
        <Dialog open={open === 'agree'} title={state.name} onClose={close} size="md">
          <Agree
            state={state}
            text={text}
            onClose={close}
            onGiven={() => {
              close()
              toast({ text: t('thanks') })
            }}
          />
        </Dialog>
      )}
      {open === 'withdraw' && current && <Withdraw state={state} id={current.id} onClose={close} />}
    </Paper>
  )
}

function Withdraw({ state, id, onClose }: { state: MyConsentState; id: string; onClose: () => void }) {
  const t = useTranslations('portal.consents')
  const stops = state.withdrawal?.stops ?? []
  const withdraw = useWrite('POST /v1/me/consents/{id}/withdraw', {
    refresh: ['/v1/me/consents', '/v1/me/appointments', '/v1/me/today'],
    onDone: () => {
      onClose()
      toast({ text: t('withdrawn') })
    },
  })
  return (
    <Confirm
      open
      danger
      title={t('withdrawTitle', { name: state.name })}
      text={
        stops.length === 0 ? (
          t('stopsNothing')
        ) : (
          <>
            {t('stops')}
            <ul>
              {stops.map(({ effect, text }) => (
                <li key={effect}>{text}</li>
              ))}
            </ul>
          </>
        )
      }
      action={t('withdraw')}
      pending={withdraw.isPending}
      error={withdraw.error}
      onConfirm={() => withdraw.mutate({ params: { id } })}
      onClose={onClose}
    />
  )
}

/** Downloads the signed receipt of a consent. */
function ReceiptButton({ id, purpose }: { id: string; purpose: string }) {
  const t = useTranslations('portal.consents')
  const get = useWrite('GET /v1/me/consents/{id}/receipt', {
    onDone: ({ data }) =>
      saveFile(`consent-${purpose}.json`, new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' })),
  })
  return (
    <>
      <Button variant="default" size="md" loading={get.isPending} onClick={() => get.mutate({ params: { id } })}>
        {t('receipt')}
      </Button>
      <Problem error={get.error} />
    </>
  )
}

function History({ state: { current, history }, day }: { state: MyConsentState; day: (value: string) => string }) {
  const t = useTranslations('portal.consents')
  const before = history.filter(({ id }) => id !== current?.id)
  if (before.length === 0) return null
  return (
    <details>
      <summary>{t('history')}</summary>
      <ul>
        {before.map(({ id, granted_at, withdrawn_at }) => (
          <li key={id}>
            {t('given', { date: day(granted_at) })}
            {withdrawn_at !== null && `, ${t('withdrawnOn', { date: day(withdrawn_at) })}`}
          </li>
        ))}
      </ul>
    </details>
  )
}
