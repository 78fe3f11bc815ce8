import type { Patient } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { MoveVisit, type MoveVisitProps } from './move-visit.tsx'
import { NewVisit } from './new-visit.tsx'

interface DialogProps {
  open: boolean
  onClose: () => void
}

/** A dialog that books a visit. Without `patient` the person who books chooses one. */
export function BookVisitDialog({ open, onClose, patient }: DialogProps & { patient?: Pick<Patient, 'id'> }) {
  const t = useTranslations('console.record.appointments')
  return (
    <Dialog open={open} title={t('book')} onClose={onClose} size="md">
      <NewVisit patient={patient} onClose={onClose} />
    </Dialog>
  )
}

/** A dialog that moves a visit. */
export function MoveVisitDialog({ open, ...props }: DialogProps & MoveVisitProps) {
  const t = useTranslations('console.record.appointments')
  return (
    <Dialog open={open} title={t('moveTitle')} onClose={props.onClose} size="md">
      <MoveVisit {...props} />
    </Dialog>
  )
}
