import { Button, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { Dialog } from '../../../../ui/feedback/dialog.tsx'
import { useClinic } from '../../../../ui/session/clinic.tsx'
import type { Session } from '../run/session.ts'

/** Three choices: continue, continue later, or end the session. */
export function LeaveDialog({ session, open, onClose }: { session: Session; open: boolean; onClose: () => void }) {
  const t = useTranslations('portal.run.leaving')
  const navigate = useNavigate()
  const { slug } = useClinic()
  return (
    <Dialog open={open} title={t('title')} onClose={onClose}>
      <Text>{t('text')}</Text>
      <Stack gap="sm">
        <Button size="lg" onClick={onClose}>
          {t('stay')}
        </Button>
        <Button
          size="lg"
          variant="default"
          onClick={() => {
            session.player.pause()
            void navigate({ to: `/${slug}` })
          }}
        >
          {t('later')}
        </Button>
        <Button
          size="lg"
          variant="outline"
          color="red.9"
          onClick={() => {
            onClose()
            session.player.stop()
          }}
        >
          {t('end')}
        </Button>
      </Stack>
    </Dialog>
  )
}
