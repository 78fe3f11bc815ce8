import { Anchor } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { LanguageSwitch } from '#ui/frame/language-switch.tsx'
import { Logo } from '#ui/frame/logo.tsx'
import brand from './branding.module.css'
import { ClinicLogo, useBranding } from './branding.tsx'
import { CallHelp } from './call-clinic.tsx'
import { PrivacyNotice } from './privacy-notice.tsx'
import classes from './public-frame.module.css'

interface PublicFrameProps {
  /** Undefined while it is loading. */
  clinic: { name: string; slug: string } | undefined
  children: ReactNode
}

/** Pages for people who are not signed in: the clinic's name, the language, its privacy notice. */
export function PublicFrame({ clinic, children }: PublicFrameProps) {
  const t = useTranslations('portal.public')
  const frame = useTranslations('ui.frame')
  const [reading, setReading] = useState(false)
  const branding = useBranding(clinic?.slug ?? '')
  return (
    <>
      <a className="skip-link" href="#content">
        {frame('skip')}
      </a>
      <header className={classes.header}>
        <div className={classes.clinic}>
          {clinic ? (
            <div className={brand.titled}>
              <ClinicLogo url={branding.data?.data.logo_url} />
              <span>{clinic.name}</span>
            </div>
          ) : (
            <Logo />
          )}
        </div>
        <LanguageSwitch />
      </header>
      <main id="content" tabIndex={-1} className={classes.main}>
        <CallHelp slug={clinic?.slug ?? ''}>{children}</CallHelp>
      </main>
      {clinic && (
        <footer className={classes.footer}>
          <Anchor component="button" type="button" onClick={() => setReading(true)}>
            {t('privacy')}
          </Anchor>
          <Anchor href={`/portal/${clinic.slug}`}>{t('signIn')}</Anchor>
          {reading && <PrivacyNotice slug={clinic.slug} onClose={() => setReading(false)} />}
        </footer>
      )}
    </>
  )
}
