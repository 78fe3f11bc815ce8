import { Alert, Button, Center, Paper, Stack, Text, Title } from '@mantine/core'
import { type MouseEvent, type ReactNode, useContext } from 'react'
import { useTranslations } from 'use-intl'
import { appName } from '../app.ts'
import { LanguageSwitch } from '../frame/language-switch.tsx'
import { Logo } from '../frame/logo.tsx'
import { useLanguage } from '../i18n/i18n.tsx'
import { Invited } from './invitation.ts'
import { signInInvited, signInUrl } from './sign-in.ts'

/** How a sign-in ended that gave no session: core writes it into the URL. */
const OUTCOMES = ['failed', 'expired', 'cancelled', 'not_operator'] as const

/** Shown in place of a page that needs a signed-in person; signing in comes back to the same URL. */
interface SignInPageProps {
  title?: string
  logo?: ReactNode
  children?: ReactNode
  /** Below the button. */
  more?: ReactNode
}

export function SignInPage({ title, logo, children, more }: SignInPageProps) {
  const t = useTranslations('ui.signIn')
  const { language } = useLanguage()
  const invited = useContext(Invited)
  const signIn = (event: MouseEvent) => {
    if (invited === undefined) return
    event.preventDefault()
    void signInInvited(invited, language)
  }
  const outcome = OUTCOMES.find((known) => known === new URLSearchParams(location.search).get('sign_in'))
  return (
    <Welcome title={title ?? t('title')} logo={logo}>
      {outcome && (
        <Alert color="orange" role="alert">
          {t(outcome)}
        </Alert>
      )}
      {children ?? <Text>{t(appName())}</Text>}
      <Button component="a" href={signInUrl()} onClick={signIn} size="md" fullWidth>
        {t('action')}
      </Button>
      {more}
    </Welcome>
  )
}

/** A page without the frame: one card in the middle. */
export function Welcome({ title, logo, children }: { title: string; logo?: ReactNode; children: ReactNode }) {
  return (
    <Center component="main" id="content" mih="100dvh" p="md">
      <Paper withBorder p="xl" radius="lg" w="100%" maw={420}>
        <Stack>
          {logo ?? <Logo />}
          <Title order={1} tabIndex={-1}>
            {title}
          </Title>
          {children}
          <LanguageSwitch />
        </Stack>
      </Paper>
    </Center>
  )
}
