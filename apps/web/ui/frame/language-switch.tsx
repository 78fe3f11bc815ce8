import { Button, Group } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useLanguage } from '../i18n/i18n.tsx'
import { type Language, languages, rememberLanguage } from '../i18n/language.ts'

/** For pages without a signed-in person. */
export function LanguageSwitch() {
  const t = useTranslations('ui.frame')
  const { language, change } = useLanguage()
  const choose = (next: Language) => {
    rememberLanguage(next)
    void change(next)
  }
  return (
    <Group gap="xs" role="group" aria-label={t('language')}>
      {languages.map((choice) => (
        <Button
          key={choice}
          lang={choice}
          variant={choice === language ? 'light' : 'subtle'}
          aria-pressed={choice === language}
          onClick={() => choose(choice)}
        >
          {t(choice)}
        </Button>
      ))}
    </Group>
  )
}
