import { Alert, Badge, Group, Stack, Text } from '@mantine/core'
import type { SafetyFinding } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useLanguage } from '#ui/i18n/i18n.tsx'
import { IconAlertTriangle, IconBan, IconInfoCircle } from '#ui/icons/index.ts'

// Mantine's darkest orange has a contrast below 4.5:1 with white text.
const LEVEL_COLORS = { block: 'red.9', reason: '#a83b00', notice: 'gray.7' } as const
const ALERT_COLORS = { block: 'red', reason: 'orange', notice: 'gray' } as const
const ICONS = { block: IconBan, reason: IconAlertTriangle, notice: IconInfoCircle }

export function LevelBadge({ level }: { level: SafetyFinding['level'] }) {
  const t = useTranslations('console.plans.safety')
  return (
    <Badge variant="filled" color={LEVEL_COLORS[level]}>
      {t(level)}
    </Badge>
  )
}

/** The findings of the safety check for one exercise, with their evidence. */
export function SafetyFindings({ findings }: { findings: readonly SafetyFinding[] }) {
  return findings.map((finding) => (
    <Finding
      key={`${finding.contraindication_id ?? finding.prerequisite?.id ?? ''}${finding.patient_condition?.id ?? ''}`}
      finding={finding}
    />
  ))
}

function Finding({ finding }: { finding: SafetyFinding }) {
  const t = useTranslations('console.plans.safety')
  const tStages = useTranslations('console.record.conditions.stages')
  const own = finding.translations[useLanguage().language]
  const { level, severity, patient_condition: condition, contraindicated_condition: named, prerequisite } = finding
  const Icon = ICONS[level]
  const description = own?.description ?? finding.description
  const basis = own?.clinical_basis ?? finding.clinical_basis
  const isRelated = named && condition && named.id !== condition.condition.id
  return (
    <Alert color={ALERT_COLORS[level]} variant="outline" icon={<Icon size={20} />}>
      <Stack gap={4}>
        <Group gap="xs">
          <LevelBadge level={level} />
          {severity && <Text fw={600}>{t(`severities.${severity}`)}</Text>}
        </Group>
        {condition && (
          <Text>
            {t('because', { condition: condition.condition.name })}
            {condition.stage && ` (${tStages(condition.stage)})`}
            {isRelated && `, ${t('related', { condition: named.name })}`}
          </Text>
        )}
        {prerequisite && <Text>{t('prerequisite', { name: prerequisite.name })}</Text>}
        {description && <Text>{description}</Text>}
        {basis && (
          <Text size="sm" c="dimmed">
            {t('evidence', { text: basis })}
          </Text>
        )}
        {finding.source && (
          <Text size="sm" c="dimmed">
            {t('source', { text: finding.source })}
          </Text>
        )}
      </Stack>
    </Alert>
  )
}
