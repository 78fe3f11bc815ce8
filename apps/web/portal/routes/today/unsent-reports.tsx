import { Alert } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRefresh } from '../../../ui/api/hooks.ts'
import { IconClock } from '../../../ui/icons/index.ts'
import { useClinic } from '../../../ui/session/clinic.tsx'
import { useMe } from '../../../ui/session/me.ts'
import type { Outbox } from '../session-runs/run/outbox.ts'
import { RefusedReports, useWaiting } from '../session-runs/view/refused-reports.tsx'

/** Sends what sessions could not send, and says what waits and what did not reach the clinic. */
export function UnsentReports() {
  const { principal_id } = useMe()
  const [outbox, setOutbox] = useState<Outbox>()
  useEffect(() => {
    let opened: Outbox | undefined
    let isLeft = false
    void import('../session-runs/run/flush-outbox.ts').then(({ openOutbox }) => {
      if (isLeft) return
      opened = openOutbox(principal_id)
      setOutbox(opened)
    })
    return () => {
      isLeft = true
      opened?.close()
    }
  }, [principal_id])
  return outbox ? <Unsent outbox={outbox} /> : null
}

function Unsent({ outbox }: { outbox: Outbox }) {
  const t = useTranslations('portal.run.unsent')
  const { id } = useClinic()
  const isWaiting = useWaiting(outbox) > 0
  useRefreshWhenSent(isWaiting)
  return (
    <>
      {isWaiting && (
        <Alert role="status" color="gray" icon={<IconClock />}>
          {t('waiting')}
        </Alert>
      )}
      <RefusedReports outbox={outbox} isShown={({ organization }) => organization === id} />
    </>
  )
}

/** Sessions may have ended with what was sent. */
function useRefreshWhenSent(isWaiting: boolean): void {
  const refresh = useRefresh()
  const reload = useRef(() => {})
  const waited = useRef(false)
  useEffect(() => {
    reload.current = () => void refresh(['/v1/me/today', '/v1/me/session-runs'])
  })
  useEffect(() => {
    if (waited.current && !isWaiting) reload.current()
    waited.current = isWaiting
  }, [isWaiting])
}
