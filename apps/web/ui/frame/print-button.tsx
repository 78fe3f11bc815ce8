import { Button } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { IconPrinter } from '../icons/index.ts'

/** Prints the page: the frame, buttons and messages stay out (base.css). */
export function PrintButton({ size = 'md' }: { size?: 'sm' | 'md' }) {
  const t = useTranslations('ui.action')
  return (
    <Button variant="default" size={size} leftSection={<IconPrinter size={18} />} onClick={() => window.print()}>
      {t('print')}
    </Button>
  )
}
