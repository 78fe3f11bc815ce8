import { Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Page } from '#ui/frame/page.tsx'
import {
  IconBuildingHospital,
  IconChevronRight,
  IconEye,
  IconFileText,
  IconScale,
  IconShieldCheck,
  IconUser,
} from '#ui/icons/index.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { PrivacyNotice } from '../../frame/privacy-notice.tsx'
import classes from '../../parts/book/book.module.css'
import { Devices } from '../../parts/me/devices.tsx'

const PAGES = [
  { path: 'profile', text: 'profile', icon: IconUser },
  { path: 'clinics', text: 'clinics', icon: IconBuildingHospital },
  { path: 'consents', text: 'consents', icon: IconShieldCheck },
  { path: 'access-log', text: 'log', icon: IconEye },
  { path: 'data', text: 'data', icon: IconFileText },
] as const

/** Links to profile, clinics, consents, access log and data of the person, and their devices. */
export function MePage() {
  const t = useTranslations('portal')
  const { slug, name } = useClinic()
  const [reading, setReading] = useState(false)
  return (
    <Page title={t('me.title')}>
      <Stack gap="xl">
        <ul className={classes.services}>
          {PAGES.map(({ path, text, icon: Icon }) => (
            <li key={path}>
              <Link to={`/$clinic/me/${path}`} params={{ clinic: slug }} className={classes.service}>
                <Icon size={24} />
                <span className={classes.grow}>
                  <Text fw={650} span display="block">
                    {t(`account.${text}`)}
                  </Text>
                  <Text span size="sm" c="dimmed">
                    {t(`account.${text}Text`)}
                  </Text>
                </span>
                <IconChevronRight size={20} />
              </Link>
            </li>
          ))}
          <li>
            <button type="button" className={classes.service} aria-haspopup="dialog" onClick={() => setReading(true)}>
              <IconScale size={24} />
              <span className={classes.grow}>
                <Text fw={650} span display="block">
                  {t('public.privacy')}
                </Text>
                <Text span size="sm" c="dimmed">
                  {t('account.privacyText', { clinic: name })}
                </Text>
              </span>
              <IconChevronRight size={20} />
            </button>
          </li>
        </ul>
        {reading && <PrivacyNotice slug={slug} onClose={() => setReading(false)} />}
        <Devices />
      </Stack>
    </Page>
  )
}
