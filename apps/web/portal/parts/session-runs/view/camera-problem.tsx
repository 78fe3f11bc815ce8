import { Alert, Text } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { IconCameraOff } from '#ui/icons/index.ts'
import type { Session } from '../run/session.ts'
import { useCamera } from './use-session.ts'

/** Why the camera is off or sees nothing. The session continues without it. */
export function CameraProblemText({ session }: { session: Session }) {
  const t = useTranslations('portal.run')
  const camera = useCamera(session)
  if (camera.kind === 'on' && camera.picture === 'back') return <Text role="status">{t('cameraBack')}</Text>
  const isFrozen = camera.kind === 'on' && camera.picture === 'frozen'
  if (camera.kind !== 'failed' && !isFrozen) return null
  return (
    <Alert variant="outline" color="gray" role="alert" icon={<IconCameraOff />}>
      {isFrozen ? t('cameraFrozen') : camera.kind === 'failed' && t(`cameraProblems.${camera.problem}`)}
    </Alert>
  )
}
