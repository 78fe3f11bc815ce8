import { Button, Checkbox, Group, Text } from '@mantine/core'
import type { MyConsentState } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRead, useWrite } from '#ui/api/hooks.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Loaded } from '#ui/feedback/loading.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { useClinic } from '#ui/session/clinic.tsx'
import { purposeName } from '#ui/session/consent-gate.tsx'
import classes from './me.module.css'

interface GiveConsentProps {
  /** The code of a purpose of this clinic. */
  purpose: string
  onClose: () => void
  onGiven: () => void
}

/** Asks for one consent that a feature needs: shows the text, then the button to agree. */
export function GiveConsent({ purpose, onClose, onGiven }: GiveConsentProps) {
  const t = useTranslations('ui')
  const { id } = useClinic()
  const states = useRead('GET /v1/me/consents')
  return (
    <Dialog open title={purposeName(t, purpose)} onClose={onClose} size="md">
      <Loaded query={states}>
        {({ data }) => {
          const state = data.find((one) => one.organization_id === id && one.purpose_code === purpose)
          return state?.text ? (
            <Agree state={state} text={state.text} onClose={onClose} onGiven={onGiven} />
          ) : (
            <Text>{t('refusals.text_unpublished')}</Text>
          )
        }}
      </Loaded>
    </Dialog>
  )
}

interface AgreeProps {
  state: MyConsentState
  text: NonNullable<MyConsentState['text']>
  onClose: () => void
  onGiven: () => void
}

export function Agree({ state, text, onClose, onGiven }: AgreeProps) {
  const t = useTranslations('ui')
  const [accepted, setAccepted] = useState(false)
  const give = useWrite('POST /v1/me/consents', {
    refresh: ['/v1/me/consents', '/v1/me/appointments', '/v1/me/today'],
    onDone: onGiven,
  })
  const name = purposeName(t, state.purpose_code)
  const { organization_id, purpose_code } = state
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long text scrolls by keyboard */}
      <section className={classes.text} tabIndex={0} aria-label={name}>
        {text.body}
      </section>
      <Checkbox
        label={t('consent.accept', { name })}
        checked={accepted}
        onChange={(event) => setAccepted(event.currentTarget.checked)}
      />
      <Problem error={give.error} />
      <Group justify="flex-end">
        <Button variant="default" size="md" onClick={onClose}>
          {t('consent.later')}
        </Button>
        <Button
          size="md"
          disabled={!accepted}
          loading={give.isPending}
          onClick={() =>
            give.mutate({
              body: {
                grants: [{ organization_id, purpose_code, purpose_version: text.version, source: 'self_toggle' }],
              },
            })
          }
        >
          {t('consent.agree')}
        </Button>
      </Group>
    </>
  )
}
