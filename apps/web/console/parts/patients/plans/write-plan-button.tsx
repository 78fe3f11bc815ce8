import { useParams } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { ButtonLink } from '#ui/frame/links.tsx'
import { IconStretching } from '#ui/icons/index.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { useMay } from '#ui/session/me.ts'

/** Links from the patient's record to a new plan; hidden without the permission to write plans. */
export function WritePlanButton() {
  const t = useTranslations('console.record.actions')
  const { slug } = useClinic()
  const { id } = useParams({ from: '/$clinic/patients/$id' })
  if (!useMay()('treatment_plans.manage')) return null
  return (
    <ButtonLink
      to="/$clinic/patients/$id/plans/new"
      params={{ clinic: slug, id }}
      leftSection={<IconStretching size={18} />}
    >
      {t('plan')}
    </ButtonLink>
  )
}
