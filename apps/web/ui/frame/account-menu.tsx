import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api } from '../api/client.ts'
import { useLanguage } from '../i18n/i18n.tsx'
import { type Language, languages } from '../i18n/language.ts'
import { IconCheck, IconLogout, IconMoon, IconSun, IconUserCircle } from '../icons/index.ts'
import { useMe } from '../session/me.ts'
import { signOut } from '../session/sign-in.ts'

const SCHEMES = ['light', 'dark', 'auto'] as const

/** The signed-in person: language, appearance, sign out. */
export function AccountMenu() {
  const t = useTranslations('ui.frame')
  const me = useMe()
  const { language, change } = useLanguage()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const client = useQueryClient()
  const name = me.name ?? me.email ?? ''

  async function chooseLanguage(next: Language) {
    await change(next)
    await api('PATCH /v1/me', { body: { preferred_language: next } })
    await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'me' })
  }

  const mark = (chosen: boolean) => (chosen ? <IconCheck size={16} /> : <span />)
  return (
    <Menu position="bottom-end" width={240} returnFocus>
      <Menu.Target>
        <ActionIcon radius="xl" size={44} aria-label={t('account', { name })}>
          <IconUserCircle size={28} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{me.email}</Menu.Label>
        <Menu.Divider />
        <Menu.Label>{t('language')}</Menu.Label>
        {languages.map((choice) => (
          <Menu.Item
            key={choice}
            lang={choice}
            role="menuitemradio"
            aria-checked={choice === language}
            rightSection={mark(choice === language)}
            onClick={() => void chooseLanguage(choice)}
          >
            {t(choice)}
          </Menu.Item>
        ))}
        <Menu.Label>{t('scheme')}</Menu.Label>
        {SCHEMES.map((scheme) => (
          <Menu.Item
            key={scheme}
            role="menuitemradio"
            aria-checked={scheme === colorScheme}
            leftSection={scheme === 'dark' ? <IconMoon size={16} /> : <IconSun size={16} />}
            rightSection={mark(scheme === colorScheme)}
            onClick={() => setColorScheme(scheme)}
          >
            {t(scheme)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
