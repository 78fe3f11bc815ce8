import { Alert } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { IconCameraOff } from '../../../../ui/icons/index.ts'
import type { Session } from '../run/session.ts'
import { useCamera } from './use-session.ts'

/** Why the camera is off. The session continues without it. */
export function CameraProblemText({ session }: { session: Session }) {
  const t = useTranslations('portal.run')
  const camera = useCamera(session)
  if (camera.kind !== 'failed') return null
  return (
    <Alert variant="outline" color="gray" role="alert" icon={<IconCameraOff />}>
      {t(`cameraProblems.${camera.problem}`)}
    </Alert>
  )
}
