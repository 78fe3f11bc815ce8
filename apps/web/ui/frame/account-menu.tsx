import { ActionIcon, Button, Group, Stack, Text, useMantineColorScheme } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ApiError } from '@tendon/sdk'
import { type ReactNode, useId } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '../api/hooks.ts'
import { Problem } from '../feedback/problem.tsx'
import { useLanguage } from '../i18n/i18n.tsx'
import { type Language, languages } from '../i18n/language.ts'
import { IconLogout, IconUserCircle } from '../icons/index.ts'
import { useMe } from '../session/me.ts'
import { useSignOut } from '../session/sign-in.ts'
import classes from './account-menu.module.css'

const SCHEMES = ['light', 'dark', 'auto'] as const

/** Menu of the signed-in person: language, appearance, sign out. A native popover: Escape and outside clicks close it. */
export function AccountMenu({ children, after }: { children?: ReactNode; after?: ReactNode }) {
  const t = useTranslations('ui.frame')
  const me = useMe()
  const id = useId()
  const { language } = useLanguage()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const client = useQueryClient()

  // Names and texts of the API are in the language of the account too.
  const choosing = useWrite('PATCH /v1/me', { onDone: () => void client.invalidateQueries() })
  const leaving = useMutation<void, ApiError>({ mutationFn: useSignOut() })
  const chooseLanguage = (next: Language) => choosing.mutate({ body: { preferred_language: next } })

  return (
    <>
      <ActionIcon
        className="no-print"
        radius="xl"
        size={44}
        popoverTarget={id}
        aria-label={t('account', { name: me.name ?? me.email ?? '' })}
      >
        <IconUserCircle size={28} />
      </ActionIcon>
      <div id={id} popover="auto" className={classes.menu}>
        <Stack gap="sm">
          <Text size="sm" c="dimmed" className={classes.email}>
            {me.email}
          </Text>
          {children}
          <Choices label={t('language')}>
            {languages.map((choice) => (
              <Choice key={choice} chosen={choice === language} lang={choice} onChoose={() => chooseLanguage(choice)}>
                {t(choice)}
              </Choice>
            ))}
          </Choices>
          <Choices label={t('scheme')}>
            {SCHEMES.map((scheme) => (
              <Choice key={scheme} chosen={scheme === colorScheme} onChoose={() => setColorScheme(scheme)}>
                {t(scheme)}
              </Choice>
            ))}
          </Choices>
          <Button
            variant="default"
            leftSection={<IconLogout size={18} />}
            loading={leaving.isPending}
            onClick={() => leaving.mutate()}
          >
            {t('signOut')}
          </Button>
          <Problem error={choosing.error ?? leaving.error} />
          {after}
        </Stack>
      </div>
    </>
  )
}

function Choices({ label, children }: { label: string; children: ReactNode }) {
  const id = useId()
  return (
    <div role="group" aria-labelledby={id}>
      <Text size="sm" fw={650} id={id} mb={4}>
        {label}
      </Text>
      <Group gap={4}>{children}</Group>
    </div>
  )
}

interface ChoiceProps {
  chosen: boolean
  lang?: string
  onChoose: () => void
  children: ReactNode
}

function Choice({ chosen, lang, onChoose, children }: ChoiceProps) {
  return (
    <Button variant={chosen ? 'light' : 'subtle'} px="sm" aria-pressed={chosen} lang={lang} onClick={onChoose}>
      {children}
    </Button>
  )
}
