import { Alert } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRefresh } from '#ui/api/hooks.ts'
import { IconClock } from '#ui/icons/index.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { useMe } from '#ui/session/me.ts'
import type { Outbox } from '../session-runs/run/outbox.ts'
import { RefusedReports, useWaiting } from '../session-runs/view/refused-reports.tsx'
import { useWhen } from '../session-runs/view/use-when.ts'

/** Sends what sessions could not send, and says what waits and what did not reach the clinic. */
export function UnsentReports() {
  const { principal_id } = useMe()
  const [outbox, setOutbox] = useState<Outbox>()
  useEffect(() => {
    let opened: Outbox | undefined
    let isLeft = false
    const open = async () => {
      const { openOutbox } = await import('../session-runs/run/flush-outbox.ts')
      if (isLeft) return
      opened = openOutbox(principal_id)
      setOutbox(opened)
    }
    void open()
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
  const refresh = useRefresh()
  // Sessions may have ended with what was sent.
  useWhen(!isWaiting, () => void refresh(['/v1/me/today', '/v1/me/session-runs']))
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
