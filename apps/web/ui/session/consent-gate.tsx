import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ApiError, MissingPurpose } from '@tendon/sdk'
import { useState, useSyncExternalStore } from 'react'
import { useTranslations } from 'use-intl'
import { api } from '../api/client.ts'
import { consentGate } from '../api/gates.ts'
import { Dialog } from '../feedback/dialog.tsx'
import { Problem } from '../feedback/problem.tsx'
import { LanguageButtons } from '../frame/language-switch.tsx'
import type { Language } from '../i18n/language.ts'
import classes from './consent-gate.module.css'

/** The texts to accept before going on (412). The request that met the gate is then sent again. */
export function ConsentGate() {
  const error = useSyncExternalStore(consentGate.mount, () => consentGate.reason)
  return error ? <Texts key={error.requestId ?? ''} texts={error.missingPurposes} /> : null
}

const keyOf = ({ organization_id, purpose_code }: MissingPurpose) => `${organization_id ?? ''} ${purpose_code}`

function Texts({ texts }: { texts: readonly MissingPurpose[] }) {
  const t = useTranslations('ui')
  const [accepted, setAccepted] = useState<ReadonlySet<string>>(new Set())
  const give = useMutation<unknown, ApiError>({
    mutationFn: () => {
      const grants = texts.map(({ organization_id, purpose_code, required_version }) => ({
        organization_id,
        purpose_code,
        purpose_version: required_version,
        source: 'signup_checkbox' as const,
      }))
      return api('POST /v1/me/consents', { body: { grants } })
    },
    onSuccess: () => consentGate.open(true),
  })
  // The texts come in the language of the account.
  const choose = useMutation<unknown, ApiError, Language>({
    mutationFn: (language) => api('PATCH /v1/me', { body: { preferred_language: language } }),
    onSuccess: () => location.reload(),
  })
  const toggle = (key: string) => {
    const next = new Set(accepted)
    if (!next.delete(key)) next.add(key)
    setAccepted(next)
  }
  return (
    <Dialog open title={t('consent.title')} covers size="md">
      <LanguageButtons onChoose={(language) => choose.mutate(language)} />
      <Text>{t('consent.text')}</Text>
      <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
        {texts.map((text) => (
          <Stack component="li" key={keyOf(text)} gap="xs">
            <Text fw={650}>{purposeName(t, text.purpose_code)}</Text>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long text scrolls by keyboard */}
            <section className={classes.text} tabIndex={0} aria-label={purposeName(t, text.purpose_code)}>
              {text.body}
            </section>
            <Checkbox
              label={t('consent.accept', { name: purposeName(t, text.purpose_code) })}
              checked={accepted.has(keyOf(text))}
              onChange={() => toggle(keyOf(text))}
            />
          </Stack>
        ))}
      </Stack>
      <Problem error={give.error ?? choose.error} />
      <Group justify="flex-end">
        <Button variant="default" size="md" onClick={() => consentGate.open(false)}>
          {t('consent.later')}
        </Button>
        <Button
          size="md"
          loading={give.isPending}
          disabled={texts.some((text) => !accepted.has(keyOf(text)))}
          onClick={() => give.mutate()}
        >
          {t('consent.agree')}
        </Button>
      </Group>
    </Dialog>
  )
}

export function purposeName(t: ReturnType<typeof useTranslations<'ui'>>, code: string): string {
  const key = `purposes.${code}` as 'purposes.org_terms'
  return t.has(key) ? t(key) : code
}
