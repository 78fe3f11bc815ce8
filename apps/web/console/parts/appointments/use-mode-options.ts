import { useTranslations } from 'use-intl'

const MODES = ['in_person', 'video', 'phone'] as const

/** The modes of a visit as options of a question. */
export function useModeOptions() {
  const t = useTranslations('console.record.appointments.modes')
  return { options: [...MODES], optionLabels: Object.fromEntries(MODES.map((mode) => [mode, t(mode)])) }
}
