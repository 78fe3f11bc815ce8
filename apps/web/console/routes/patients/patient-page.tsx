import { Alert } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useRead } from '../../../ui/api/hooks.ts'
import { Loaded } from '../../../ui/feedback/loading.tsx'
import { Day } from '../../../ui/format/time.tsx'
import { Page } from '../../../ui/frame/page.tsx'
import { PrintButton } from '../../../ui/frame/print-button.tsx'
import { useParam } from '../../../ui/frame/use-param.ts'
import { RecordPage } from '../../../ui/record/record-page.tsx'
import { useClinic } from '../../../ui/session/clinic.tsx'

/** One patient. The name is on the page, but not in the window's title. */
export function PatientPage() {
  const t = useTranslations('console.patients')
  const id = useParam('id')
  const { slug } = useClinic()
  const patient = useRead('GET /v1/patients/{id}', { params: { id } })
  const at = `/${slug}/patients/${id}`
  if (!patient.data)
    return (
      <Page title={t('record')}>
        <Loaded query={patient}>{() => null}</Loaded>
      </Page>
    )
  const { name, birth_date, status, restricted_at } = patient.data.data
  return (
    <RecordPage
      title={name}
      documentTitle={t('record')}
      actions={<PrintButton />}
      facts={
        <>
          {birth_date && (
            <>
              <Day value={birth_date} />
              {' · '}
            </>
          )}
          {t(`statuses.${status}`)}
          {restricted_at && <Alert color="orange">{t('restricted')}</Alert>}
        </>
      }
      tabs={[
        { to: at, label: t('overview'), exact: true },
        { to: `${at}/sessions`, label: t('sessions') },
        { to: `${at}/plans`, label: t('plans') },
      ]}
    />
  )
}
