import { Group, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { PublicService } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { usePrice } from '#ui/format/money.ts'
import { useLanguage } from '#ui/i18n/i18n.tsx'
import { IconChevronRight, IconMapPin, IconPhone, IconVideo } from '#ui/icons/index.ts'
import classes from './book.module.css'

export const MODE_ICONS = { in_person: IconMapPin, video: IconVideo, phone: IconPhone } as const

/** The clinic's services; each links to its free times. */
export function ServiceList({ services }: { services: readonly PublicService[] }) {
  const t = useTranslations('portal.book')
  return (
    <Stack component="section" gap="sm">
      <Title order={2}>{t('chooseService')}</Title>
      <ul className={classes.services}>
        {services.map((service) => (
          <li key={service.id}>
            <ServiceLink service={service} />
          </li>
        ))}
      </ul>
    </Stack>
  )
}

function ServiceLink({ service }: { service: PublicService }) {
  const { name, description } = useServiceText(service)
  return (
    <Link to="." search={{ service: service.id }} className={classes.service}>
      <span className={classes.grow}>
        <Text fw={650} span display="block">
          {name}
        </Text>
        {description && (
          <Text span display="block" size="sm">
            {description}
          </Text>
        )}
        <ServiceFacts service={service} />
      </span>
      <IconChevronRight size={20} />
    </Link>
  )
}

/** Duration, price and how it takes place. */
export function ServiceFacts({ service }: { service: PublicService }) {
  const t = useTranslations('portal.book')
  const price = usePrice()
  const shown = price(service.price_cents, service.currency)
  return (
    <Group component="span" gap="4px 1rem" c="dimmed" fz="sm">
      <span>{t('minutes', { count: service.duration_minutes })}</span>
      {shown && <span>{shown}</span>}
      {service.modes.map((mode) => {
        const Icon = MODE_ICONS[mode]
        return (
          <Group key={mode} component="span" gap={4} wrap="nowrap">
            <Icon size={16} />
            {t(`modes.${mode}`)}
          </Group>
        )
      })}
    </Group>
  )
}

/** The name and description in the reader's language, if translated. */
export function useServiceText(service: PublicService): { name: string; description: string | null } {
  const { language } = useLanguage()
  const own = service.translations[language]
  return { name: own?.name ?? service.name, description: own?.description ?? service.description }
}
