import { Text } from '@mantine/core'
import type { PrivacyNotice } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRead } from '#ui/api/hooks.ts'
import { Loaded } from '#ui/feedback/loading.tsx'
import { Page } from '#ui/frame/page.tsx'
import { useClinic } from '#ui/session/clinic.tsx'
import { NoticeForm } from '../../parts/privacy-notice/notice-form.tsx'

/** The clinic fills in its own details, sees the resulting text with what follows from it, and publishes it. */
export function PrivacyNoticePage() {
  const t = useTranslations('console.notice')
  const { id } = useClinic()
  const notice = useRead('GET /v1/organizations/{id}/privacy-notice', { params: { id } })
  // What somebody else saves meanwhile must not replace what is being typed.
  const [edited, setEdited] = useState<PrivacyNotice>()
  const version = notice.data?.data.latest_template_version ?? 1
  const template = useRead(
    'GET /v1/privacy-notice-templates/{version}',
    { params: { version } },
    { enabled: notice.data !== undefined },
  )
  return (
    <Page title={t('title')}>
      <Text c="dimmed" maw={680}>
        {t('help')}
      </Text>
      <Loaded query={notice}>
        {(read) => (
          <Loaded query={template}>
            {(of) => (
              <NoticeForm
                key={(edited ?? read.data).version}
                notice={edited ?? read.data}
                template={of.data}
                onEdited={setEdited}
              />
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}
