import { Button, Group } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useLanguage } from '../i18n/i18n.tsx'
import { type Language, languages, rememberLanguage } from '../i18n/language.ts'

/** For pages without a signed-in person. */
export function LanguageSwitch() {
  const { change } = useLanguage()
  const choose = (next: Language) => {
    rememberLanguage(next)
    void change(next)
  }
  return <LanguageButtons onChoose={choose} />
}

export function LanguageButtons({ onChoose }: { onChoose: (language: Language) => void }) {
  const t = useTranslations('ui.frame')
  const { language } = useLanguage()
  return (
    <Group gap="xs" role="group" aria-label={t('language')}>
      {languages.map((choice) => (
        <Button
          key={choice}
          lang={choice}
          variant={choice === language ? 'light' : 'subtle'}
          aria-pressed={choice === language}
          onClick={() => onChoose(choice)}
        >
          {t(choice)}
        </Button>
      ))}
    </Group>
  )
}
