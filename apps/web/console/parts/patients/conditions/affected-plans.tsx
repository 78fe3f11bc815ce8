import { Alert, List, Text } from '@mantine/core'
import { TextLink } from '#ui/frame/links.tsx'
import '@mantine/core/styles/List.layer.css'
import { useParams } from '@tanstack/react-router'
import type { AffectedPlan } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useClinic } from '#ui/session/clinic.tsx'

/** The active plans with exercises that a condition forbids, after it was recorded. */
export function AffectedPlans({ plans }: { plans: readonly AffectedPlan[] }) {
  const t = useTranslations('console.record.conditions')
  const { slug } = useClinic()
  const { id } = useParams({ from: '/$clinic/patients/$id' })
  if (plans.length === 0) return null
  return (
    <Alert color="red" variant="outline" role="alert">
      <Text>{t('affected')}</Text>
      <List>
        {plans.map((plan) => (
          <List.Item key={plan.id}>
            <TextLink to="/$clinic/patients/$id/plans/$planId" params={{ clinic: slug, id, planId: plan.id }}>
              {plan.title}
            </TextLink>
            : {plan.exercises.map(({ name }) => name).join(', ')}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
