import { Badge } from '@mantine/core'
import type { Booking } from '@tendon/sdk'
import { useTranslations } from 'use-intl'

const COLORS: Partial<Record<Booking['status'], string>> = {
  waitlist: 'orange',
  pending: 'orange',
  confirmed: 'tendon',
  checked_in: 'tendon',
}

export function VisitStatus({ status }: { status: Booking['status'] }) {
  const t = useTranslations('portal.booking.status')
  const color = COLORS[status] ?? 'gray'
  // Orange text on light orange misses 4.5:1.
  return (
    <Badge color={color} {...(color === 'orange' ? { c: 'var(--mantine-color-text)' } : {})}>
      {t(status)}
    </Badge>
  )
}
